"""Sentences with a word of two senses, five of each: written for this course, in plain words and free to copy.

Each sentence has its word once, never at its beginning, so that it is the same token everywhere. The words are chosen
from those that the course's models of the Bible in Basic English and the plays have as one token; the last two,
“bank” and “spring”, are several.
"""

from __future__ import annotations

SENSES: dict[str, dict[str, tuple[str, ...]]] = {
    "bear": {
        "to carry": (
            "How long am I to bear this weight on my back?",
            "I cannot bear to see her in such grief.",
            "The two men will bear the body out of the field.",
            "Every man has to bear his own pain.",
            "She had to bear the shame of it before all the people.",
        ),
        "an animal": (
            "A great bear came out of the woods and took a lamb.",
            "Like a bear whose young ones have been taken, he was angry.",
            "David had put to death a lion and a bear.",
            "The claws of the bear were sharp, and its coat was brown.",
            "We saw the tracks of a bear in the snow.",
        ),
    },
    "light": {
        "what shines": (
            "The light of the sun came through the window.",
            "In the dark house there was no light to see by.",
            "He put a light on the table, and the room was bright.",
            "At the break of day the light came up over the hills.",
            "A light was burning in the tent all through the night.",
        ),
        "of little weight": (
            "The bag was so light that a child might lift it.",
            "My heart is light, and I am not troubled any more.",
            "This is a light thing to carry, not a great weight.",
            "With a light foot she ran before the horses.",
            "He made their work light, and gave them rest.",
        ),
    },
    "right": {
        "a side": (
            "He put his right hand on the head of the boy.",
            "Do not go to the right side of the road.",
            "At the king's right hand the queen was seated.",
            "His right eye was blind, and his arm was broken.",
            "Turn to the right when you come to the river.",
        ),
        "good or true": (
            "You have done what is right in the eyes of the Lord.",
            "It is not right to take money from the poor.",
            "Your answer is right, and I was wrong.",
            "Let the judge do what is right and good.",
            "It seemed right to him to give the land back.",
        ),
    },
    "left": {
        "a side": (
            "He had a bow in his left hand and a sword at his side.",
            "Some went to the right and some to the left.",
            "On the left side of the house there was a door.",
            "Her left arm was under his head.",
            "The men on the left of the king were his brothers.",
        ),
        "went away or let be": (
            "He left his father's house and went to another land.",
            "They left the town in the morning before it was day.",
            "She left her children with her mother and went out.",
            "All his friends left him, and he was by himself.",
            "When he had said this he left them and went up the mountain.",
        ),
    },
    "kind": {
        "a sort": (
            "Every kind of bird was in the trees.",
            "What kind of man is this, that even the sea obeys him?",
            "There was all kind of food on the table.",
            "I have never seen that kind of beast before.",
            "He gave a new kind of law to the people.",
        ),
        "gentle": (
            "She was kind to the poor and gave them bread.",
            "Be kind to your servant, my lord.",
            "The queen had a kind heart and a soft voice.",
            "You have been kind to me, though I did you wrong.",
            "My master is a kind man, and we love him.",
        ),
    },
    "well": {
        "in a good way": (
            "You have done well, my good servant.",
            "He can play very well on the pipe.",
            "All is well with your father and your mother.",
            "She was ill for a week, but now she is well again.",
            "I know him well, for he is my brother.",
        ),
        "a place of water": (
            "They took water from the well in the field.",
            "A stone was on the mouth of the well.",
            "The servants made a deep well in the valley.",
            "She came down to the well with a vessel for water.",
            "By the side of the well the sheep were resting.",
        ),
    },
    "rest": {
        "what is over": (
            "The rest of the people went back to the town.",
            "He took one part, and gave the rest to his sons.",
            "And the rest of the acts of the king are in the book.",
            "Three men were dead, and the rest ran away.",
            "Keep this money, and let me have the rest of it.",
        ),
        "quiet": (
            "On the seventh day you are to take your rest.",
            "There was no rest for his soul by day or by night.",
            "Come under the tree and have a rest, for you are tired.",
            "After the war the land had rest for forty years.",
            "I will lie down and take my rest in peace.",
        ),
    },
    "last": {
        "at the end": (
            "On the last day of the feast he came into the house.",
            "These are the last words of David.",
            "This was the last time that they saw his face.",
            "The first will be last in that day.",
            "He gave his last penny to the old man.",
        ),
        "to go on": (
            "This peace will not last for long.",
            "Let his name last while the sun is in the sky.",
            "How long will this war last, my lord?",
            "The food may last us seven days.",
            "True love will last when beauty is gone.",
        ),
    },
    "might": {
        "power": (
            "He did it with all his might.",
            "The might of the king was broken in the war.",
            "Great is the might of your arm, O Lord.",
            "They saw his might and were full of fear.",
            "By his might he made the mountains.",
        ),
        "may": (
            "I was hoping that I might see you again.",
            "He went to the town so that he might get bread.",
            "If you were here, you might give me help.",
            "She said that it might be true, but she was not certain.",
            "They sent for him, that he might come and judge them.",
        ),
    },
    "will": {
        "what is wished": (
            "Let it be done by the will of God.",
            "It was against his will that he went with them.",
            "My father's will is that I marry the duke.",
            "They did it of their own free will.",
            "Who has ever gone against the will of the king?",
        ),
        "what is to come": (
            "In the morning I will go up to the town.",
            "The Lord will give you the land.",
            "Tomorrow they will come back with the horses.",
            "He said that he will not eat or drink.",
            "You will see the king in his beauty.",
        ),
    },
    "bank": {
        "of a river": (
            "They were seated on the bank of the river.",
            "The boat came up to the bank, and the men got out.",
            "There were trees on the bank, near the water.",
            "From the other bank a man was calling to us.",
            "The sheep went down the bank to drink.",
        ),
        "for money": (
            "He put his money in the bank and had it back with interest.",
            "The bank gave her a loan of ten pounds.",
            "A rich man keeps his gold in a bank.",
            "Thieves went into the bank and took the silver.",
            "I have no money left in the bank to pay you.",
        ),
    },
    "spring": {
        "a time of the year": (
            "In the spring the flowers come up from the earth.",
            "After the winter comes the spring with its rain.",
            "It was spring, and the birds were singing.",
            "Every spring the farmer plants his grain.",
            "The days get longer in the spring of the year.",
        ),
        "of water": (
            "They came to a spring and had a drink of its water.",
            "A spring of clear water came out of the rock.",
            "The horses were drinking at the spring by the road.",
            "There was no spring in the waste land, and they had no water.",
            "He made his tents by the side of a spring in the valley.",
        ),
    },
}
