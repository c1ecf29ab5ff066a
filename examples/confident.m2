S She go to the market every Saturdays .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||0.74|||0
A 6 7|||R:MORPH|||Saturday|||REQUIRED|||0.86|||0

S I have visited Lisbon last year .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||0.75|||0
A 4 4|||M:DET|||the|||REQUIRED|||0.45|||0

S The childrens was playing in garden .
A 1 2|||R:SPELL|||children|||REQUIRED|||0.64|||0
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||0.75|||0
A 5 5|||M:DET|||the|||REQUIRED|||0.95|||0

S He said me that he will come tomorrow .
A 1 2|||R:VERB|||told|||REQUIRED|||0.84|||0
A 5 6|||R:VERB:TENSE|||would|||REQUIRED|||0.94|||0
A 7 8|||R:OTHER|||the next day|||REQUIRED|||0.82|||0

S There is many reason to learn a language .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||0.84|||0
A 3 4|||R:NOUN:NUM|||reasons|||REQUIRED|||0.81|||0
A 6 7|||U:DET||||||REQUIRED|||0.23|||0
A 7 8|||R:NOUN:NUM|||languages|||REQUIRED|||0.64|||0

S My brother is more taller than me .
A 3 4|||R:ADV|||much|||REQUIRED|||0.58|||0

S We discussed about the problem for hours .
A 1 2|||R:VERB|||talked|||REQUIRED|||0.85|||0

S I am agree with your opinion .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||0.53|||0
A 4 5|||R:PRON|||you|||REQUIRED|||0.52|||0
A 5 6|||U:NOUN||||||REQUIRED|||0.65|||0

S If I would have money , I would buy a boat .
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||0.71|||0
A 9 10|||R:DET|||the|||REQUIRED|||0.55|||0

S The informations on the poster are wrong .
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||0.77|||0
A 5 6|||R:VERB:SVA|||is|||REQUIRED|||0.86|||0

S She is used to wake up early .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||0.68|||0

S This train leave at nine o'clock .
A 0 1|||R:DET|||The|||REQUIRED|||0.83|||0
A 2 3|||R:VERB:SVA|||leaves|||REQUIRED|||0.84|||0

S He has been living here since five years .
A 2 4|||R:VERB:TENSE|||lived|||REQUIRED|||0.68|||0
A 5 6|||R:PREP|||for|||REQUIRED|||0.99|||0

S I look forward to see you soon .
A 1 2|||R:VERB:TENSE|||am looking|||REQUIRED|||0.86|||0

S Yesterday I eat too much of cake .
A 2 3|||R:VERB:TENSE|||ate|||REQUIRED|||0.96|||0
A 5 6|||U:PREP||||||REQUIRED|||0.69|||0

S The weather is nice today .
A 3 3|||M:ADV|||very|||REQUIRED|||0.38|||0

S Nobody didn't answer the phone .
A 1 2|||U:OTHER||||||REQUIRED|||0.73|||0
A 2 3|||R:VERB:TENSE|||answered|||REQUIRED|||0.76|||0

S She speaks English very good .
A 2 5|||R:WO|||very good English|||REQUIRED|||0.87|||0

S Can you explain me this exercise ?
A 3 4|||U:PRON||||||REQUIRED|||0.82|||0
A 6 6|||M:OTHER|||to me|||REQUIRED|||0.71|||0

S The movie was enough long .
A 1 2|||R:NOUN|||film|||REQUIRED|||0.64|||0
A 3 5|||R:WO|||long enough|||REQUIRED|||0.70|||0

S He drived his car to the see .
A 1 2|||R:VERB:INFL|||drove|||REQUIRED|||0.96|||0
A 6 7|||R:NOUN|||sea|||REQUIRED|||0.66|||0

S I want that you help my sister .
A 2 3|||U:PREP||||||REQUIRED|||0.82|||0
A 4 4|||M:VERB:FORM|||to|||REQUIRED|||0.84|||0

S Each of the players have a number .
A 4 5|||R:VERB:SVA|||has|||REQUIRED|||0.56|||0
A 5 6|||U:DET||||||REQUIRED|||0.51|||0
A 6 7|||R:NOUN:NUM|||numbers|||REQUIRED|||0.71|||0

S We arrived to the station lately .
A 2 3|||R:PREP|||at|||REQUIRED|||0.48|||0
A 5 6|||R:MORPH|||late|||REQUIRED|||0.73|||0

S It depends of the price .
A 2 3|||R:PREP|||on|||REQUIRED|||0.76|||0

S She made her homework before diner .
A 1 2|||R:VERB|||did|||REQUIRED|||0.66|||0
A 5 6|||R:MORPH|||dinner|||REQUIRED|||0.85|||0

S The most of people likes music .
A 0 2|||U:DET|||Most|||REQUIRED|||0.77|||0
A 2 3|||U:PREP||||||REQUIRED|||0.56|||0
A 4 5|||R:SPELL|||like|||REQUIRED|||0.90|||0

S He asked where is the bank .
A 3 6|||R:WO|||the bank is|||REQUIRED|||0.88|||0

S I have less friends than you .
A 2 3|||R:ADJ|||fewer|||REQUIRED|||0.92|||0
A 6 6|||M:VERB|||have|||REQUIRED|||0.73|||0

S Please , give me an advice .
A 1 2|||U:PUNCT||||||REQUIRED|||0.83|||0
A 4 5|||R:DET|||some|||REQUIRED|||0.80|||0

S Neither my mother or my father cook .
A 3 4|||R:CONJ|||nor|||REQUIRED|||0.59|||0
A 6 7|||R:NOUN:NUM|||cooks|||REQUIRED|||0.87|||0

S The book who I bought is interesting .
A 2 3|||R:PRON|||which|||REQUIRED|||0.40|||0

S She beleives in ghosts
A 1 2|||R:SPELL|||believes|||REQUIRED|||0.71|||0
A 4 4|||M:PUNCT|||.|||REQUIRED|||0.59|||0

S They are living in a same house .
A 1 3|||R:VERB:TENSE|||live|||REQUIRED|||0.63|||0
A 4 5|||R:DET|||the|||REQUIRED|||0.70|||0

S I recommend to visit the old town .
A 4 5|||R:DET|||an|||REQUIRED|||0.71|||0

S How long time does it take ?
A 2 3|||U:NOUN||||||REQUIRED|||0.48|||0
A 5 6|||R:VERB:SVA|||takes|||REQUIRED|||0.27|||0

S The police has found the thief .
A 4 5|||R:DET|||a|||REQUIRED|||0.54|||0

S He works hardly to pass the exam .
A 2 3|||R:MORPH|||hard|||REQUIRED|||0.99|||0

S We can't to swim here
A 2 3|||U:VERB:FORM||||||REQUIRED|||0.87|||0
A 5 5|||M:PUNCT|||.|||REQUIRED|||0.50|||0

S Thank you for your letter .
A 0 1|||R:MORPH|||Thanks|||REQUIRED|||0.10|||0
A 1 2|||U:PRON||||||REQUIRED|||0.56|||0

