S She go to the market every Saturdays .
A 1 2|||R:OTHER|||goes|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||Saturday|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||goes|||REQUIRED|||-NONE-|||1
A 5 6|||R:OTHER|||on|||REQUIRED|||-NONE-|||1

S I have visited Lisbon last year .
A 1 2|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||went to|||REQUIRED|||-NONE-|||1

S The childrens was playing in garden .
A 1 3|||R:OTHER|||children were|||REQUIRED|||-NONE-|||0
A 5 5|||M:OTHER|||the|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||children were|||REQUIRED|||-NONE-|||1
A 5 5|||M:OTHER|||a|||REQUIRED|||-NONE-|||1

S He said me that he will come tomorrow .
A 1 2|||R:OTHER|||told|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||would|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||told|||REQUIRED|||-NONE-|||1
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 5 6|||R:OTHER|||would|||REQUIRED|||-NONE-|||1
A 7 8|||R:OTHER|||the next day|||REQUIRED|||-NONE-|||1

S There is many reason to learn a language .
A 1 2|||R:OTHER|||are|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||reasons|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||are|||REQUIRED|||-NONE-|||1
A 3 6|||R:OTHER|||reasons for learning|||REQUIRED|||-NONE-|||1

S My brother is more taller than me .
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 6 7|||R:OTHER|||I am|||REQUIRED|||-NONE-|||1

S We discussed about the problem for hours .
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||talked|||REQUIRED|||-NONE-|||1

S I am agree with your opinion .
A 1 2|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 4 6|||R:OTHER|||you|||REQUIRED|||-NONE-|||1

S If I would have money , I would buy a boat .
A 2 4|||R:OTHER|||had|||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||had the|||REQUIRED|||-NONE-|||1

S The informations on the poster are wrong .
A 1 2|||R:OTHER|||information|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||information|||REQUIRED|||-NONE-|||1
A 5 7|||R:OTHER|||is incorrect|||REQUIRED|||-NONE-|||1

S She is used to wake up early .
A 4 5|||R:OTHER|||waking|||REQUIRED|||-NONE-|||0
A 1 2|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1

S This train leave at nine o'clock .
A 2 3|||R:OTHER|||leaves|||REQUIRED|||-NONE-|||0
A 0 1|||R:OTHER|||The|||REQUIRED|||-NONE-|||1
A 2 3|||R:OTHER|||leaves|||REQUIRED|||-NONE-|||1

S He has been living here since five years .
A 5 6|||R:OTHER|||for|||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||lived|||REQUIRED|||-NONE-|||1
A 5 6|||R:OTHER|||for|||REQUIRED|||-NONE-|||1

S I look forward to see you soon .
A 4 5|||R:OTHER|||seeing|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||am looking|||REQUIRED|||-NONE-|||1
A 4 5|||R:OTHER|||seeing|||REQUIRED|||-NONE-|||1

S Yesterday I eat too much of cake .
A 2 3|||R:OTHER|||ate|||REQUIRED|||-NONE-|||0
A 5 6|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 2 3|||R:OTHER|||ate|||REQUIRED|||-NONE-|||1
A 5 6|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 7 7|||M:OTHER|||yesterday|||REQUIRED|||-NONE-|||1

S The weather is nice today .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Nobody didn't answer the phone .
A 1 3|||R:OTHER|||answered|||REQUIRED|||-NONE-|||0
A 0 3|||R:OTHER|||No one answered|||REQUIRED|||-NONE-|||1

S She speaks English very good .
A 4 5|||R:OTHER|||well|||REQUIRED|||-NONE-|||0
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 5 5|||M:OTHER|||English|||REQUIRED|||-NONE-|||1

S Can you explain me this exercise ?
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||to me|||REQUIRED|||-NONE-|||0
A 0 1|||R:OTHER|||Could|||REQUIRED|||-NONE-|||1
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 6 6|||M:OTHER|||to me|||REQUIRED|||-NONE-|||1

S The movie was enough long .
A 3 3|||M:OTHER|||long|||REQUIRED|||-NONE-|||0
A 4 5|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||film|||REQUIRED|||-NONE-|||1
A 3 3|||M:OTHER|||long|||REQUIRED|||-NONE-|||1
A 4 5|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1

S He drived his car to the see .
A 1 2|||R:OTHER|||drove|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||sea|||REQUIRED|||-NONE-|||0
A 1 4|||R:OTHER|||drove|||REQUIRED|||-NONE-|||1
A 6 7|||R:OTHER|||sea|||REQUIRED|||-NONE-|||1

S I want that you help my sister .
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 4 4|||M:OTHER|||to|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||would like|||REQUIRED|||-NONE-|||1
A 4 4|||M:OTHER|||to|||REQUIRED|||-NONE-|||1

S Each of the players have a number .
A 4 5|||R:OTHER|||has|||REQUIRED|||-NONE-|||0
A 1 5|||R:OTHER|||player has|||REQUIRED|||-NONE-|||1

S We arrived to the station lately .
A 2 3|||R:OTHER|||at|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||late|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||late at|||REQUIRED|||-NONE-|||1
A 5 6|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1

S It depends of the price .
A 2 3|||R:OTHER|||on|||REQUIRED|||-NONE-|||0
A 0 1|||R:OTHER|||That|||REQUIRED|||-NONE-|||1
A 2 3|||R:OTHER|||on|||REQUIRED|||-NONE-|||1

S She made her homework before diner .
A 1 2|||R:OTHER|||did|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||dinner|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||did|||REQUIRED|||-NONE-|||1
A 5 6|||R:OTHER|||dinner|||REQUIRED|||-NONE-|||1

S The most of people likes music .
A 0 3|||R:OTHER|||Most|||REQUIRED|||-NONE-|||0
A 4 5|||R:OTHER|||like|||REQUIRED|||-NONE-|||0
A 0 3|||R:OTHER|||Most|||REQUIRED|||-NONE-|||1
A 4 5|||R:OTHER|||like|||REQUIRED|||-NONE-|||1

S He asked where is the bank .
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||was|||REQUIRED|||-NONE-|||0
A 3 4|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 6 6|||M:OTHER|||is|||REQUIRED|||-NONE-|||1

S I have less friends than you .
A 2 3|||R:OTHER|||fewer|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||fewer|||REQUIRED|||-NONE-|||1
A 6 6|||M:OTHER|||do|||REQUIRED|||-NONE-|||1

S Please , give me an advice .
A 1 2|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 4 5|||R:OTHER|||some|||REQUIRED|||-NONE-|||0
A 1 2|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1
A 4 5|||R:OTHER|||a piece of|||REQUIRED|||-NONE-|||1

S Neither my mother or my father cook .
A 3 4|||R:OTHER|||nor|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||cooks|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||nor|||REQUIRED|||-NONE-|||1
A 6 7|||R:OTHER|||cooks|||REQUIRED|||-NONE-|||1

S The book who I bought is interesting .
A 2 3|||R:OTHER|||that|||REQUIRED|||-NONE-|||0
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1

S She beleives in ghosts
A 1 2|||R:OTHER|||believes|||REQUIRED|||-NONE-|||0
A 4 4|||M:OTHER|||.|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||believes|||REQUIRED|||-NONE-|||1
A 4 4|||M:OTHER|||.|||REQUIRED|||-NONE-|||1

S They are living in a same house .
A 4 5|||R:OTHER|||the|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||live|||REQUIRED|||-NONE-|||1
A 4 5|||R:OTHER|||the|||REQUIRED|||-NONE-|||1

S I recommend to visit the old town .
A 2 4|||R:OTHER|||visiting|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||that you|||REQUIRED|||-NONE-|||1

S How long time does it take ?
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||much|||REQUIRED|||-NONE-|||1

S The police has found the thief .
A 2 3|||R:OTHER|||have|||REQUIRED|||-NONE-|||0
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||1

S He works hardly to pass the exam .
A 2 3|||R:OTHER|||hard|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||is working hard|||REQUIRED|||-NONE-|||1

S We can't to swim here
A 2 3|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 5|||M:OTHER|||.|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||cannot|||REQUIRED|||-NONE-|||1
A 5 5|||M:OTHER|||.|||REQUIRED|||-NONE-|||1

S Thank you for your letter .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

