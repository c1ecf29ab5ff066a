S I have visited Lisbon last year .
A 4 4|||M:DET|||the|||PROPOSED|||0.40|||0

S He said me that he will come tomorrow .
A 2 2|||M:PREP|||to|||PROPOSED|||0.60|||0

S There is many reason to learn a language .
A 6 7|||U:DET|||-NONE-|||PROPOSED|||1.00|||0
A 7 8|||R:NOUN:NUM|||languages|||PROPOSED|||0.20|||0

S My brother is more taller than me .
A 3 4|||R:ADV|||much|||PROPOSED|||0.20|||0

S If I would have money , I would buy a boat .
A 9 10|||R:DET|||the|||PROPOSED|||0.40|||0

S The weather is nice today .
A 3 3|||M:ADV|||very|||PROPOSED|||0.20|||0

S Nobody didn't answer the phone .
A 1 2|||R:OTHER|||did|||PROPOSED|||0.40|||0

S He drived his car to the see .
A 5 6|||U:DET|||-NONE-|||PROPOSED|||1.00|||0

S Each of the players have a number .
A 5 6|||U:DET|||-NONE-|||PROPOSED|||1.00|||0
A 6 7|||R:NOUN:NUM|||numbers|||PROPOSED|||0.60|||0

S I have less friends than you .
A 6 6|||M:VERB|||have|||PROPOSED|||0.20|||0

S The book who I bought is interesting .
A 2 3|||R:PRON|||which|||PROPOSED|||1.00|||0

S I recommend to visit the old town .
A 4 5|||R:DET|||an|||PROPOSED|||0.60|||0

S How long time does it take ?
A 3 4|||U:VERB:TENSE|||-NONE-|||PROPOSED|||1.00|||0
A 5 6|||R:VERB:SVA|||takes|||PROPOSED|||1.00|||0

S The police has found the thief .
A 4 5|||R:DET|||a|||PROPOSED|||0.80|||0

S He works hardly to pass the exam .
A 0 8|||U:OTHER|||-NONE-|||PROPOSED|||1.00|||0

S Thank you for your letter .
A 0 1|||R:MORPH|||Thanks|||PROPOSED|||0.80|||0
A 1 2|||U:PRON|||-NONE-|||PROPOSED|||1.00|||0

