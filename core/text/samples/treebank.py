"""A small treebank: 36 short sentences of ours with their trees, every node with two children or one word.

S sentence, NP noun phrase, VP verb phrase, PP prepositional phrase, Det determiner, N noun, V verb, P preposition, Adj
adjective. A word that is a phrase of its own is written so: (NP she), (VP sleeps).
"""

from __future__ import annotations

TREEBANK = """
(S (NP I) (VP (V saw) (NP (Det the) (N dog))))
(S (NP she) (VP (V saw) (NP (Det a) (N man))))
(S (NP we) (VP (VP (V saw) (NP (Det a) (N star))) (PP (P with) (NP (Det a) (N telescope)))))
(S (NP she) (VP sleeps))
(S (NP (Det the) (N cat)) (VP sleeps))
(S (NP (Det the) (N dog)) (VP (VP sleeps) (PP (P in) (NP (Det the) (N garden)))))
(S (NP they) (VP fish))
(S (NP they) (VP (VP fish) (PP (P in) (NP (Det the) (N river)))))
(S (NP (Det the) (N man)) (VP (V eats) (NP fish)))
(S (NP (Det the) (N cat)) (VP eats))
(S (NP (Det the) (N cat)) (VP (V eats) (NP (Det a) (N fish))))
(S (NP she) (VP (VP eats) (PP (P in) (NP (Det the) (N park)))))
(S (NP I) (VP (VP (V cut) (NP (Det the) (N wood))) (PP (P with) (NP (Det a) (N saw)))))
(S (NP we) (VP (V watch) (NP (Det the) (N birds))))
(S (NP (NP birds) (PP (P in) (NP (Det the) (N park)))) (VP sing))
(S (NP birds) (VP sing))
(S (NP they) (VP (VP sing) (PP (P in) (NP (Det the) (N garden)))))
(S (NP I) (VP (V like) (NP (NP (Det the) (N house)) (PP (P with) (NP (Det the) (N garden))))))
(S (NP (NP (Det the) (N woman)) (PP (P with) (NP (Det the) (N dog)))) (VP (V saw) (NP us)))
(S (NP they) (VP (V like) (NP dogs)))
(S (NP dogs) (VP (V like) (NP (Det the) (N park))))
(S (NP (Det the) (N birds)) (VP (V watch) (NP (Det the) (N river))))
(S (NP she) (VP (V likes) (NP (NP (Det the) (N man)) (PP (P with) (NP (Det the) (N hat))))))
(S (NP (Det the) (N (Adj old) (N man))) (VP (V likes) (NP dogs)))
(S (NP (Det the) (N (Adj old) (N woman))) (VP sleeps))
(S (NP we) (VP (V saw) (NP (Det the) (N (Adj old) (N house)))))
(S (NP (Det the) (N (Adj small) (N dog))) (VP (V likes) (NP her)))
(S (NP I) (VP (V like) (NP (Det the) (N watch))))
(S (NP she) (VP (VP (V cut) (NP (Det the) (N fish))) (PP (P with) (NP (Det a) (N knife)))))
(S (NP they) (VP walk))
(S (NP we) (VP (VP walk) (PP (P in) (NP (Det the) (N park)))))
(S (NP I) (VP (V like) (NP (Det a) (N walk))))
(S (NP we) (VP (V walk) (NP (Det the) (N dog))))
(S (NP they) (VP (VP (V watch) (NP birds)) (PP (P with) (NP (Det a) (N telescope)))))
(S (NP I) (VP (V saw) (NP (NP (Det a) (N cat)) (PP (P on) (NP (Det the) (N house))))))
(S (NP (Det the) (N cat)) (VP (VP sleeps) (PP (P on) (NP (Det the) (N hat)))))
"""
