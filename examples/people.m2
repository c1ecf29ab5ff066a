S She go to the market every Saturdays .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 6 7|||R:MORPH|||Saturday|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||1
A 5 6|||R:OTHER|||on|||REQUIRED|||-NONE-|||1

S I have visited Lisbon last year .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB|||went|||REQUIRED|||-NONE-|||1
A 3 3|||M:PREP|||to|||REQUIRED|||-NONE-|||1

S The childrens was playing in garden .
A 1 2|||R:SPELL|||children|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 5 5|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 1 2|||R:SPELL|||children|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||1
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||1

S He said me that he will come tomorrow .
A 1 2|||R:VERB|||told|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||told|||REQUIRED|||-NONE-|||1
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||1
A 7 8|||R:OTHER|||the next day|||REQUIRED|||-NONE-|||1

S There is many reason to learn a language .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||reasons|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1
A 3 4|||R:NOUN:NUM|||reasons|||REQUIRED|||-NONE-|||1
A 4 5|||R:PART|||for|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:FORM|||learning|||REQUIRED|||-NONE-|||1

S My brother is more taller than me .
A 3 4|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 3 4|||U:ADJ||||||REQUIRED|||-NONE-|||1
A 6 7|||R:OTHER|||I am|||REQUIRED|||-NONE-|||1

S We discussed about the problem for hours .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||talked|||REQUIRED|||-NONE-|||1

S I am agree with your opinion .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 4 5|||R:PRON|||you|||REQUIRED|||-NONE-|||1
A 5 6|||U:NOUN||||||REQUIRED|||-NONE-|||1

S If I would have money , I would buy a boat .
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||1
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||1

S The informations on the poster are wrong .
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1
A 6 7|||R:ADJ|||incorrect|||REQUIRED|||-NONE-|||1

S She is used to wake up early .
A 4 5|||R:VERB:FORM|||waking|||REQUIRED|||-NONE-|||0
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1

S This train leave at nine o'clock .
A 2 3|||R:VERB:SVA|||leaves|||REQUIRED|||-NONE-|||0
A 0 1|||R:DET|||The|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||leaves|||REQUIRED|||-NONE-|||1

S He has been living here since five years .
A 5 6|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 2 4|||R:VERB:TENSE|||lived|||REQUIRED|||-NONE-|||1
A 5 6|||R:PREP|||for|||REQUIRED|||-NONE-|||1

S I look forward to see you soon .
A 4 5|||R:VERB:FORM|||seeing|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||am looking|||REQUIRED|||-NONE-|||1
A 4 5|||R:VERB:FORM|||seeing|||REQUIRED|||-NONE-|||1

S Yesterday I eat too much of cake .
A 2 3|||R:VERB:TENSE|||ate|||REQUIRED|||-NONE-|||0
A 5 6|||U:PREP||||||REQUIRED|||-NONE-|||0
A 0 1|||U:NOUN||||||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:TENSE|||ate|||REQUIRED|||-NONE-|||1
A 5 6|||U:PREP||||||REQUIRED|||-NONE-|||1
A 7 7|||M:NOUN|||yesterday|||REQUIRED|||-NONE-|||1

S The weather is nice today .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Nobody didn't answer the phone .
A 1 2|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:TENSE|||answered|||REQUIRED|||-NONE-|||0
A 0 1|||R:OTHER|||No|||REQUIRED|||-NONE-|||1
A 1 2|||R:OTHER|||one|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:TENSE|||answered|||REQUIRED|||-NONE-|||1

S She speaks English very good .
A 4 5|||R:ADV|||well|||REQUIRED|||-NONE-|||0
A 2 5|||R:WO|||very good English|||REQUIRED|||-NONE-|||1

S Can you explain me this exercise ?
A 3 4|||U:PRON||||||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||to me|||REQUIRED|||-NONE-|||0
A 0 1|||R:VERB:TENSE|||Could|||REQUIRED|||-NONE-|||1
A 3 4|||U:PRON||||||REQUIRED|||-NONE-|||1
A 6 6|||M:OTHER|||to me|||REQUIRED|||-NONE-|||1

S The movie was enough long .
A 3 5|||R:WO|||long enough|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN|||film|||REQUIRED|||-NONE-|||1
A 3 5|||R:WO|||long enough|||REQUIRED|||-NONE-|||1

S He drived his car to the see .
A 1 2|||R:VERB:INFL|||drove|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN|||sea|||REQUIRED|||-NONE-|||0
A 1 4|||R:OTHER|||drove|||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN|||sea|||REQUIRED|||-NONE-|||1

S I want that you help my sister .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 4 4|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||would|||REQUIRED|||-NONE-|||1
A 2 3|||R:OTHER|||like|||REQUIRED|||-NONE-|||1
A 4 4|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||1

S Each of the players have a number .
A 4 5|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 1 3|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 3 4|||R:NOUN:NUM|||player|||REQUIRED|||-NONE-|||1
A 4 5|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||1

S We arrived to the station lately .
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||late|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||late at|||REQUIRED|||-NONE-|||1
A 5 6|||U:ADV||||||REQUIRED|||-NONE-|||1

S It depends of the price .
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 0 1|||R:PRON|||That|||REQUIRED|||-NONE-|||1
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||1

S She made her homework before diner .
A 1 2|||R:VERB|||did|||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||dinner|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||did|||REQUIRED|||-NONE-|||1
A 5 6|||R:MORPH|||dinner|||REQUIRED|||-NONE-|||1

S The most of people likes music .
A 0 2|||U:DET|||Most|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 4 5|||R:SPELL|||like|||REQUIRED|||-NONE-|||0
A 0 2|||U:DET|||Most|||REQUIRED|||-NONE-|||1
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||1
A 4 5|||R:SPELL|||like|||REQUIRED|||-NONE-|||1

S He asked where is the bank .
A 3 4|||U:VERB||||||REQUIRED|||-NONE-|||0
A 6 6|||M:VERB|||was|||REQUIRED|||-NONE-|||0
A 3 6|||R:WO|||the bank is|||REQUIRED|||-NONE-|||1

S I have less friends than you .
A 2 3|||R:ADJ|||fewer|||REQUIRED|||-NONE-|||0
A 2 3|||R:ADJ|||fewer|||REQUIRED|||-NONE-|||1
A 6 6|||M:VERB|||do|||REQUIRED|||-NONE-|||1

S Please , give me an advice .
A 1 2|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 4 5|||R:DET|||some|||REQUIRED|||-NONE-|||0
A 1 2|||U:PUNCT||||||REQUIRED|||-NONE-|||1
A 4 5|||R:OTHER|||a piece of|||REQUIRED|||-NONE-|||1

S Neither my mother or my father cook .
A 3 4|||R:CONJ|||nor|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:SVA|||cooks|||REQUIRED|||-NONE-|||0
A 3 4|||R:CONJ|||nor|||REQUIRED|||-NONE-|||1
A 6 7|||R:VERB:SVA|||cooks|||REQUIRED|||-NONE-|||1

S The book who I bought is interesting .
A 2 3|||R:PRON|||that|||REQUIRED|||-NONE-|||0
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||1

S She beleives in ghosts
A 1 2|||R:SPELL|||believes|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 1 2|||R:SPELL|||believes|||REQUIRED|||-NONE-|||1
A 4 4|||M:PUNCT|||.|||REQUIRED|||-NONE-|||1

S They are living in a same house .
A 4 5|||R:DET|||the|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB:TENSE|||live|||REQUIRED|||-NONE-|||1
A 4 5|||R:DET|||the|||REQUIRED|||-NONE-|||1

S I recommend to visit the old town .
A 2 4|||R:VERB:FORM|||visiting|||REQUIRED|||-NONE-|||0
A 2 2|||M:PREP|||that|||REQUIRED|||-NONE-|||1
A 2 3|||R:OTHER|||you|||REQUIRED|||-NONE-|||1

S How long time does it take ?
A 2 3|||U:NOUN||||||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||much|||REQUIRED|||-NONE-|||1

S The police has found the thief .
A 2 3|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1

S He works hardly to pass the exam .
A 2 3|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||is working|||REQUIRED|||-NONE-|||1
A 2 3|||R:MORPH|||hard|||REQUIRED|||-NONE-|||1

S We can't to swim here
A 2 3|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0
A 5 5|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB|||cannot|||REQUIRED|||-NONE-|||1
A 5 5|||M:PUNCT|||.|||REQUIRED|||-NONE-|||1

S Thank you for your letter .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

