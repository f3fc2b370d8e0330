"""What goes with what, so that sentences make sense: who eats, what is read, what may be blue, why one laughs."""

from core.text.grammar.meaning import PEOPLE

NOUNS = {
    "person": " ".join(PEOPLE),
    "animal": "cat dog bird horse mouse",
    "food": "apple egg cake bread cheese soup",
    "animal food": "apple bread cheese",
    "drink": "water milk coffee tea",
    "animal drink": "water milk",
    "readable": "book letter newspaper",
    "writable": "book letter song",
    "clothing": "coat hat shirt",
    "vehicle": "car bicycle",
    "buyable": "apple egg cake bread cheese milk coffee tea book newspaper coat hat shirt car bicycle house flower "
    "horse dog table chair bed",
    "seeable": "king queen boy girl man woman child doctor teacher friend neighbour mother father brother sister "
    "cat dog bird horse mouse car house tree flower",
    "hearable": "bird dog cat child king woman song",
    "findable": "key hat coat letter book dog cat flower bicycle",
    "losable": "key hat coat letter book bicycle shirt",
    "takable": "apple key hat coat book letter bicycle flower egg",
    "openable": "door window",
    "cleanable": "kitchen bedroom house table window car bicycle",
    "washable": "car dog shirt horse coat",
    "makeable": "soup cake bread coffee tea",
    "song": "song",
    "giveable": "book letter flower apple hat key cake egg coat bicycle",
    "sendable": "letter book flower",
    "own": "dog cat horse house car bicycle garden key hat brother sister friend",
}
KINDS = {kind: tuple(nouns.split()) for kind, nouns in NOUNS.items()}
GENDERED = {
    **dict.fromkeys("king boy man father brother".split(), "he"),
    **dict.fromkeys("queen girl woman mother sister".split(), "she"),
}
PLACES = {
    "in": "garden kitchen park forest house museum city bedroom",
    "near": "park school station house tree window hospital",
    "behind": "house tree door school",
    "under": "table tree bed",
    "on": "table chair bed",
    "to": "market park school station museum hospital",
    "with": "king queen boy girl child doctor teacher friend neighbour mother father brother sister dog",
    "for": "king queen boy girl child teacher friend neighbour mother father brother sister",
}
ADJECTIVES = {
    "big": "cat dog bird horse apple egg cake book coat hat car house garden kitchen park forest museum city "
    "bedroom school tree table bed door window key flower",
    "small": "boy girl child cat dog bird horse mouse apple egg cake book hat car house garden kitchen park "
    "forest museum city bedroom school tree table chair bed door window key flower",
    "old": "king queen man woman doctor teacher friend neighbour cat dog horse book letter newspaper coat hat shirt "
    "car bicycle house museum city school tree table chair bed door key song",
    "young": "king queen man woman doctor teacher mother father brother sister cat dog horse",
    "new": "doctor teacher friend neighbour book newspaper coat hat shirt car bicycle house kitchen museum school "
    "hospital table chair bed door key song",
    "beautiful": "queen woman girl man child cat bird horse house garden park forest city book letter song flower tree "
    "coat hat shirt car",
    "good": "king queen doctor teacher friend book apple cake bread cheese soup coffee tea",
    "white": "cat dog horse mouse bird coat hat shirt car bicycle house flower door table chair",
    "black": "cat dog horse bird coat hat shirt car bicycle door table chair",
    "red": "apple coat hat shirt car bicycle flower door chair",
    "blue": "bird coat hat shirt car bicycle flower door chair",
    "green": "apple bird coat hat shirt car bicycle door chair",
    "expensive": "book coat hat shirt car bicycle house table chair bed cheese coffee",
    "warm": "bread soup milk coat",
    "cold": "water milk coffee tea soup",
    "happy": "king queen boy girl man woman child mother father dog",
    "ill": "king queen boy girl man woman child brother sister cat dog horse",
    "rich": "king queen man woman neighbour friend",
    "strong": "king man woman boy horse dog",
    "clever": "king queen boy girl man woman child doctor teacher friend mother father brother sister dog cat mouse",
    "famous": "king queen man woman doctor teacher book song museum school city",
    "kind": "queen king boy girl man woman doctor teacher neighbour friend mother father brother sister",
}
SUITS = {
    noun: tuple(a for a, nouns in ADJECTIVES.items() if noun in nouns.split())
    for noun in {*sum(KINDS.values(), ()), *" ".join(PLACES.values()).split()}
}
FEELINGS = {
    "person": ("hungry", "thirsty", "tired", "ill", "happy", "sad"),
    "animal": ("hungry", "thirsty", "tired", "ill"),
}
REASONS = {
    "eat": "hungry", "drink": "thirsty", "sleep": "tired", "cry": "sad", "laugh": "happy",
    "sing": "happy", "play": "happy", "call": "ill",
}  # fmt: skip
OBJECT_REASONS = {"sell": "old", "buy": "beautiful", "wash": "dirty", "clean": "dirty"}

TRANSITIVE = {
    "eat": "food", "drink": "drink", "read": "readable", "write": "writable", "buy": "buyable", "sell": "buyable",
    "see": "seeable", "find": "findable", "take": "takable", "lose": "losable", "wear": "clothing", "help": "person",
    "call": "person", "invite": "person", "open": "openable", "close": "openable", "clean": "cleanable",
    "wash": "washable", "hear": "hearable", "make": "makeable", "sing": "song", "have": "own",
}  # fmt: skip
GIVING = {"give": "giveable", "send": "sendable", "bring": "giveable"}
SAYING = ("say", "think", "know")
RESTING = ("sleep", "work", "play", "laugh", "cry", "wait", "run")
MOVING = ("arrive", "come back")
NOT_PROGRESSIVE = ("see", "hear", "have", "be", "lose", "find")
NOT_MODAL = ("have", "be", "lose", "arrive", "come back", "hear", "cry")
# What one does and then does to the same thing.
CHAINS = (
    ("take", "eat", "apple egg"),
    ("buy", "eat", "apple egg cake cheese"),
    ("buy", "read", "book newspaper"),
    ("find", "read", "book letter newspaper"),
    ("write", "send", "letter"),
    ("wash", "sell", "car horse"),
    ("clean", "sell", "house bicycle"),
    ("find", "wash", "dog shirt coat"),
    ("make", "eat", "soup cake"),
    ("make", "drink", "coffee tea"),
    ("open", "close", "door window"),
)
TIMES = {
    "present": ("today", "every day"),
    "progressive": ("now", "today"),
    "past": ("yesterday", "this morning", "last week"),
    "near": ("tomorrow", "next week", "this evening"),
}
FREQUENCIES = ("often", "always", "sometimes")
SIZES, COLOURS = ("big", "small", "old", "new", "beautiful"), ("white", "black", "red", "blue", "green")
OWNERS = ("king", "queen", "boy", "girl", "man", "woman", "doctor", "teacher", "neighbour", "child")
POSSESSIVES = ("my", "your", "his", "her", "our", "their")
UNOWNED = ("king", "queen", "boy", "girl", "man", "woman")
KIN = ("mother", "father", "brother", "sister", "friend")
# Someone whom a pronoun would name beside itself: "I see us" wants another one.
OWN_CIRCLE = {"I": ("I", "we"), "we": ("I", "we"), "you": ("you",)}
# What one does with someone, and for someone.
COMPANY, BENEFIT = ("work", "play", "wait", "sing", "eat", "go", "laugh"), ("buy", "make", "write")
# Where one does it, besides with whom and for whom.
WHERE = {
    **dict.fromkeys(("eat", "drink", "read", "see", "find", "sing", "work", "run"), ("in", "near")),
    "sleep": ("in", "under", "on"),
    "wait": ("in", "near", "behind"),
    "play": ("in", "near", "behind"),
}
# A feeling, and what one then does not do, or does all the same.
CONTRASTS = (
    ("hungry", "eat", "food"),
    ("thirsty", "drink", "drink"),
    ("tired", "sleep", ""),
    ("ill", "work", ""),
)
