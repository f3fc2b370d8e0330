"""A small library: 40 short passages, and 30 queries of which each says which passages answer it.

All sentences were written for this course. The facts are common knowledge; the persons and places of the passages named in
NAMES are invented, so that no model can have heard of them. A third of the queries uses the words of its passage, a third
asks with other words, and a third asks for an invented name. Queries and answers were fixed before any method was tried.
"""

from __future__ import annotations

from dataclasses import dataclass

SAME, OTHER, NAME = "same", "other", "name"  # kinds of query


@dataclass(frozen=True)
class Query:
    """A query, its kind, and the titles of the passages that answer it."""

    text: str
    kind: str
    answers: tuple[str, ...]


PASSAGES = {
    "Volcano": (
        "A volcano is an opening in the ground through which hot liquid rock comes up. The liquid is "
        "called magma below the ground and lava above it. When it cools it turns into hard rock again."
    ),
    "Glacier": (
        "A glacier is a thick mass of ice that moves slowly down a valley. Snow falls on its upper end "
        "and is pressed into ice. At its lower end the ice melts and feeds a river."
    ),
    "Nile": (
        "The Nile flows north through eleven countries to the Mediterranean. Most people of Egypt live on "
        "its banks, because the land beside the river is green and the rest is desert."
    ),
    "Moon": (
        "The Moon goes around the Earth once in about 27 days. It shines because it reflects the light of "
        "the Sun. Its pull raises the water of the oceans, which makes the tides."
    ),
    "Saturn": (
        "Saturn is the second largest planet of our solar system. Its rings are made of pieces of ice, "
        "some as small as sand and some as large as a house."
    ),
    "Comet": (
        "A comet is a ball of ice and dust that travels around the Sun. Near the Sun it warms up, and the "
        "gas that leaves it forms a bright tail."
    ),
    "Bees": (
        "A hive of bees has one queen and thousands of workers. The workers bring nectar from flowers and "
        "turn it into honey. They show one another the way to good flowers by a dance."
    ),
    "Whale": (
        "The blue whale is the largest animal that has ever lived. It breathes air and feeds its young "
        "with milk. It eats tiny shrimps, up to four tons of them a day."
    ),
    "Spider": (
        "Most spiders spin a web of silk and wait until an insect is caught in it. A spider has eight "
        "legs and is no insect, because insects have six."
    ),
    "Veterinarian": (
        "A veterinarian treats sick dogs, cats, horses and cows. Before an operation the pet is made to "
        "sleep. Many farms call one when a calf is born."
    ),
    "Owl": (
        "An owl hunts at night. Its eyes see well in weak light, and soft feathers make its flight "
        "silent. It swallows mice whole and spits out the bones."
    ),
    "Oak": (
        "An oak can live for a thousand years. Its fruit, the acorn, is food for deer and birds. The hard "
        "wood was used for ships and for barrels."
    ),
    "Potato": (
        "The potato comes from the mountains of South America. Sailors brought it to Europe about 450 "
        "years ago. In Ireland a disease destroyed the crop in 1845, and a million people died of hunger."
    ),
    "Bread": (
        "Bread is made of flour, water and salt. Yeast eats the sugar in the flour and gives off gas, "
        "which makes the dough rise. In the hot oven the crust turns brown."
    ),
    "Coffee": (
        "Coffee is a drink made from the roasted seeds of a small tree. Brazil grows more of it than any "
        "other country. It keeps people awake because it contains caffeine."
    ),
    "Cheese": (
        "Cheese is made by letting milk turn thick and pressing out the water. Some kinds ripen for years "
        "in a cool cellar. The holes in others come from gas."
    ),
    "Heart": (
        "The heart is a muscle that pumps blood through the body. At rest it beats about seventy times a "
        "minute. Exercise makes it stronger and slower."
    ),
    "Vaccine": (
        "A vaccine shows the body a harmless part of a virus. The body learns to fight it and is "
        "protected when the real virus comes. Smallpox was ended in this way."
    ),
    "Sleep": (
        "Adults need seven to nine hours of sleep. While we dream, our eyes move quickly under their "
        "lids. Without sleep we forget more and become ill more easily."
    ),
    "Glasses": (
        "Glasses bend the light before it enters the eye. People who see only near things clearly wear "
        "lenses that are thin in the middle. The first were worn in Italy before 1300."
    ),
    "Bicycle": (
        "The first machine with two wheels had no pedals; the rider pushed with his feet. Pedals and a "
        "chain came later. Air in the tyres made the ride soft."
    ),
    "Airplane": (
        "An airplane flies because its wings push air downwards. The Wright brothers made the first "
        "flight with an engine in 1903. It lasted twelve seconds."
    ),
    "Bridge": (
        "A bridge hung from steel ropes can cross more than two kilometres of water. The ropes run over "
        "two high towers and are tied to the ground on both shores."
    ),
    "Compass": (
        "The needle of a compass is a small magnet that points north. With it sailors could cross the sea "
        "when clouds hid the stars. It was invented in China."
    ),
    "Printing": (
        "Johannes Gutenberg printed books with letters of metal that could be used again. Before him each "
        "book was copied by hand. Books became cheap, and more people learned to read."
    ),
    "Telephone": (
        "A telephone turns the voice into an electric signal and back again. The first call was made in "
        "1876. Today most of them fit in a pocket and have no wire."
    ),
    "Solar power": (
        "A solar panel turns the light of the Sun into electricity. It needs no fuel and makes no smoke, "
        "but it gives nothing at night, so part of the power must be stored."
    ),
    "Steam engine": (
        "A steam engine burns coal to boil water. The steam pushes a piston, which turns a wheel. Such "
        "engines pumped water out of mines and later pulled trains."
    ),
    "Chess": (
        "Chess is played by two on a board of 64 squares. Each side begins with sixteen pieces, among "
        "them a king. Whoever traps the king of the other side wins."
    ),
    "Orchestra": (
        "A large orchestra has about a hundred musicians. More than half of them play violins and other "
        "strings. A conductor shows the beat with a thin stick."
    ),
    "Marathon": (
        "A marathon is a race on foot over 42 kilometres. It is named after a town in Greece. The fastest "
        "run it in little more than two hours."
    ),
    "Court": (
        "In a court a judge hears both sides and then decides. In some countries twelve people who are no "
        "experts say whether the accused is guilty. Who loses may ask a higher court."
    ),
    "Bank": (
        "A bank keeps the money of its customers and lends it to others. Who borrows pays interest. The "
        "difference between the interest it takes and the interest it pays is what the bank earns."
    ),
    "City guide": (
        "Every visitor of the old city should walk along the river, past the bank, the court and the "
        "bridge, to the market, where bread, cheese, coffee and honey are sold. In the evening an "
        "orchestra plays beside the river, people play chess under the oak, and the moon stands above the "
        "bridge. Whoever likes to ride can rent a bicycle near the bridge and follow the river as far as "
        "the sea. On Sundays there is a race along the river, and boats take guests from bridge to "
        "bridge. Bring glasses against the sun, sleep well, and ask at the bank when you need money. The "
        "steam train up the valley runs from May to October."
    ),
    "Brelkin lighthouse": (
        "The lighthouse of Brelkin was built on a rock by Osvina Tarn in 1811. It is 40 metres high. "
        "Storms broke its door three times, but its lamp never went out."
    ),
    "Tarquille": (
        "Tarquille is a blue dye made from the shells of a snail. The island of Morvane sold it to kings. "
        "Nobody has made it since the snails died out."
    ),
    "Yorrick Pemberly": (
        "Yorrick Pemberly painted nothing but doors. His first picture was sold for two coins, his last "
        "for a palace. He left all his brushes to his gardener."
    ),
    "Zumbrel": (
        "A zumbrel is a flute of three pipes, played by the shepherds of the Kestafel mountains. One pipe "
        "always sounds the same low note. Children learn it before they can write."
    ),
    "Quennick treaty": (
        "The treaty of Quennick ended a war of nine years between two cities over a well. Both cities got "
        "the well on three days of the week. On Sundays it belonged to the birds."
    ),
    "Dulwander": (
        "Every autumn the people of Dulwander run backwards up a hill. The winner gets a goose. The race "
        "is said to go back to a mayor who wanted to see where he had come from."
    ),
}
NAMES = ("Brelkin lighthouse", "Tarquille", "Yorrick Pemberly", "Zumbrel", "Quennick treaty", "Dulwander")
QUERIES = (
    Query("river of Egypt", SAME, ("Nile",)),
    Query("what makes the tides", SAME, ("Moon",)),
    Query("rings of Saturn", SAME, ("Saturn",)),
    Query("how bees make honey", SAME, ("Bees",)),
    Query("largest animal", SAME, ("Whale",)),
    Query("why dough rises", SAME, ("Bread",)),
    Query("who made the first flight with an engine", SAME, ("Airplane",)),
    Query("needle that points north", SAME, ("Compass",)),
    Query("bridge of steel ropes", SAME, ("Bridge",)),
    Query("interest on borrowed money", SAME, ("Bank",)),
    Query("animal doctor", OTHER, ("Veterinarian",)),
    Query("spectacles for poor vision", OTHER, ("Glasses",)),
    Query("jury trial", OTHER, ("Court",)),
    Query("aircraft pilot", OTHER, ("Airplane",)),
    Query("renewable energy", OTHER, ("Solar power",)),
    Query("symphony concert", OTHER, ("Orchestra",)),
    Query("immune protection against infection", OTHER, ("Vaccine",)),
    Query("athletes running long distance", OTHER, ("Marathon",)),
    Query("railway locomotive", OTHER, ("Steam engine",)),
    Query("famine in Europe", OTHER, ("Potato",)),
    Query("Osvina Tarn", NAME, ("Brelkin lighthouse",)),
    Query("where is Brelkin", NAME, ("Brelkin lighthouse",)),
    Query("tarquille", NAME, ("Tarquille",)),
    Query("what did Morvane sell", NAME, ("Tarquille",)),
    Query("pictures by Pemberly", NAME, ("Yorrick Pemberly",)),
    Query("who plays the zumbrel", NAME, ("Zumbrel",)),
    Query("Kestafel music", NAME, ("Zumbrel",)),
    Query("Quennick", NAME, ("Quennick treaty",)),
    Query("race of Dulwander", NAME, ("Dulwander",)),
    Query("Dulwander mayor", NAME, ("Dulwander",)),
)


@dataclass(frozen=True)
class Gap:
    """The beginning of a sentence whose end stands in a passage."""

    title: str
    prompt: str
    answer: str


GAPS = (
    Gap("Brelkin lighthouse", "The lighthouse of Brelkin was built by", "Osvina Tarn"),
    Gap("Brelkin lighthouse", "Storms broke its", "door"),
    Gap("Tarquille", "Tarquille is made from the shells of a", "snail"),
    Gap("Tarquille", "The island of", "Morvane"),
    Gap("Yorrick Pemberly", "Yorrick Pemberly left his brushes to his", "gardener"),
    Gap("Yorrick Pemberly", "Yorrick Pemberly painted", "doors"),
    Gap("Zumbrel", "The zumbrel is played by the shepherds of the", "Kestafel"),
    Gap("Zumbrel", "A zumbrel is a", "flute"),
    Gap("Quennick treaty", "The treaty of", "Quennick"),
    Gap("Quennick treaty", "On Sundays the well belonged to the", "birds"),
    Gap("Dulwander", "The winner gets a", "goose"),
    Gap("Dulwander", "The people of", "Dulwander"),
)
