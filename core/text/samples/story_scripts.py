"""The scripts of the course's small stories: what happens, in its order, and several ways to say each event.

A paragraph is a script. Its first line names it and lists the words of its own slots. Each event begins with a dash, or
with ~ where it may be left out; a line is one of its phrasings. {Name} is a person and {Friend} another one of the other
sex; {She} and {He} begin a sentence with the pronoun or the name; {she}, {her}, {hers}, {he}, {him} and {his} are
pronouns; {a thing} has its article.

Source of the idea: Schank and Abelson (1977), Scripts, Plans, Goals and Understanding.
"""

SCRIPTS = """
market; fruit: apple pear plum peach melon orange; seller: farmer, old man, tall man, baker
- {Name} went to the market early in the morning.
  On Saturday {Name} walked to the market with an empty basket.
  {Name} wanted some fruit and set out for the market.
  The market had just opened when {Name} arrived.
~ {She} walked slowly between the stalls and looked at everything.
  First {she} went past the fish and the cheese.
  There were many people there and {she} had to push.
  {She} stopped at the last stall, where the fruit was best.
- “How much is this {fruit}?” {she} asked the {seller}.
  {She} pointed at {a fruit} and asked what it cost.
  {She} took {a fruit} in {hers} hand and asked for the price.
  {She} saw {a fruit} that {she} liked and asked how much it was.
- “Two coins,” the {seller} answered, “because it is so sweet.”
  The {seller} said that it cost two coins.
  The {seller} held up two fingers.
  “For you only two coins,” said the {seller} with a smile.
- {She} counted out the money and paid him.
  {She} opened {hers} purse and gave him the two coins.
  {She} thought it was dear, but {she} paid.
  So {she} put two coins into his hand.
- {She} washed the {fruit} at the fountain.
  {She} rubbed the {fruit} on {hers} sleeve until it was clean.
  {She} sat down on a wall with the {fruit} in {hers} lap.
  On the way home {she} could not wait any longer.
- Then {she} took the first bite, and it was sweet indeed.
  {She} ate it to the last bit.
  It was so good that the juice ran down {hers} chin.
  {She} ate half of it and kept the rest for {Friend}.

key; place: coat, bag, shoe, bread box, piano, old boot
- {Name} came home late and stood at the door.
  It was dark when {Name} reached {hers} own front door.
  {Name} came back from work, tired and hungry.
  After the long journey {Name} stood in front of the house at last.
- {She} felt in {hers} pocket, but the key was gone.
  The key was not in {hers} pocket.
  {She} looked for the key and did not find it.
  {She} emptied {hers} pockets, and there was no key.
~ “Where can I have lost it?” {she} said aloud.
  {She} looked under the mat and behind the flowers.
  {She} tried to remember where {she} had used it last.
  {She} walked back down the street and looked at the ground.
- So {she} rang the bell and called for {Friend}.
  {She} knocked until {Friend} woke up.
  {She} threw a small stone at the window of {Friend}.
  “{Friend}, open the door!” {she} called.
- {He} came down the stairs with a candle.
  A light went on and {He_} looked out of the window.
  {He} opened the door in {his} nightshirt.
  After a while {He_} opened and laughed at {her}.
- “Your key is in the {place},” {he} said.
  “Have you looked in the {place}?” {he} asked.
  {He} asked {her} to look in the {place}.
  {He} said that {he} had seen it in the {place}.
- And there it was, exactly where {he} had said.
  {She} put {hers} hand into the {place} and found it at once.
  {She} shook the {place}, and the key fell out.
  It was really there, and {she} felt like a fool.

rain; thing: umbrella, hat, red hat, big umbrella
- The sky was blue when {Name} left the house.
  {Name} left home in the morning without a coat.
  There was not a cloud in the sky, so {Name} took no coat.
  {Name} went out for a walk in the sun.
- Soon dark clouds came over the hill.
  Then the wind began to blow and the sky grew dark.
  After an hour the sun went behind a black cloud.
  {She} heard thunder far away.
- The first drops fell on {hers} face.
  Then it began to rain.
  All at once the rain came down.
  It started with a few drops and became a flood.
- {She} ran under a tree, but the leaves did not keep it out.
  {She} looked for a roof and found none.
  {She} stood under a bridge and waited.
  Within a minute {hers} shirt was wet.
~ “Come in here!” called {Friend} from a doorway.
  There {she} met {Friend}, who had {a thing}.
  {Friend} passed by with {a thing} in {his} hand.
  {Friend} saw {her} and held {a thing} over {hers} head.
- At home {she} took off the wet clothes.
  {She} came home with water in {hers} shoes.
  When {she} got home {she} hung {hers} clothes by the fire.
  At last {she} was home and changed {hers} clothes.
- Then {she} drank something hot and felt warm again.
  {She} sat by the fire until {hers} hair was dry.
  The next day {she} had a cold.
  From then on {she} never went out without a coat.

letter; far: island, city, mountains, south, colony
- {Name} had not heard from {Friend} for a year.
  {Friend} had gone away, and {Name} missed {him}.
  {Name} often thought of {Friend}, who lived far away.
  For months {Name} had waited for news of {Friend}.
- One evening {she} took paper and a pen.
  So {she} sat down at the table to write.
  At last {she} decided to write to {him}.
  {She} lit a lamp and began a letter.
~ “Are you well, and when will you come?” {she} wrote.
  {She} told {him} about the house and the children.
  {She} filled four pages with the news of the town.
  {She} wrote that everybody asked for {him}.
- {She} folded the paper and closed it with wax.
  {She} read it once more and put it into an envelope.
  When the ink was dry {she} folded the sheet.
  {She} wrote {his} name on the outside.
- In the morning {she} brought the letter to the post.
  {She} gave the letter to a rider.
  A sailor took the letter with him.
  {She} put the letter into the box at the corner.
- It travelled for ten days to the {far}.
  The ship carried it as far as the {far}.
  The letter was on its way to the {far} for weeks.
  Ten days later it reached the {far}.
- {Friend} knew the writing and opened it at once.
  {He} read it three times by the window.
  {Friend} cried when {he} read it.
  {He} was so glad that {he} kissed the paper.
- The same night {he} packed {his} bag to come home.
  {He} answered on the same day.
  {He} wrote back that {he} would come in spring.
  “I am coming home,” {he} wrote under {his} name.

cake; taste: lemon, chocolate, honey, nut, cherry; egg: three eggs, four eggs, two eggs
- It was the day before the birthday of {Friend}.
  {Name} wanted to surprise {Friend} with a cake.
  “I will bake a cake for {Friend},” said {Name}.
  {Name} looked for the recipe of a {taste} cake.
- {She} took flour, butter and {egg} from the shelf.
  {She} put everything on the table: flour, sugar and {egg}.
  {She} had flour in the house, but {she} had to borrow {egg}.
  First {she} broke {egg} into a bowl.
- {She} stirred until {hers} arm hurt.
  Then {she} mixed it all with a wooden spoon.
  {She} beat the dough until it was smooth.
  {She} added milk and stirred for a long time.
~ {She} licked the spoon when nobody was looking.
  {She} tasted the dough and added some sugar.
  The kitchen was white with flour.
  There was dough on the floor and on {hers} nose.
- {She} poured the dough into a tin and put it in the oven.
  The cake went into the hot oven for an hour.
  Carefully {she} pushed the tin into the oven.
  {She} lit the oven and put the cake in.
- Soon the whole house smelled of {taste}.
  After an hour it was brown on top.
  {She} opened the oven, and the cake had risen.
  “Is it burning?” {she} thought, but it was only brown.
- {She} let it cool by the window.
  {She} set the cake on the table and lit the candles.
  {She} covered it with sugar and wrote {his} name on it.
  When it was cold {she} hid it in the cupboard.
- The next day {Friend} ate three slices.
  {He} blew out the candles and cut the first slice.
  “This is the best {taste} cake of my life,” said {Friend}.
  {He} tasted it and asked for more.

doctor; part: head, throat, stomach, knee, back; cure: tea, bitter drops, a white powder, warm milk
- {Name} woke up in the night with a pain in {hers} {part}.
  For two days the {part} of {Name} had hurt.
  {Name} did not feel well and stayed in bed.
  In the morning {Name} could hardly stand up.
- {Friend} put a hand on {hers} forehead, and it was hot.
  {Friend} saw that {she} had a fever.
  “You are as white as the wall,” said {Friend}.
  {Friend} was worried and brought {her} water.
- So {he} sent for the doctor.
  {He} ran through the village to fetch the doctor.
  “I will get a doctor,” {he} said and left.
  {He} called the doctor, who promised to come at once.
- The doctor came with a black bag.
  An hour later the doctor was at the bed.
  The doctor arrived and took off his hat.
  When the doctor came in, everybody else left the room.
- “Where does it hurt?” he asked.
  He asked {her} how long it had been hurting.
  He listened to {hers} heart and looked at the {part}.
  “Show me your tongue,” said the doctor.
- He gave {her} {cure} and told {her} to sleep.
  Then he wrote down what {she} should take.
  “Take {cure} three times a day,” he ordered.
  He said that it was not bad and left {cure} on the table.
~ {She} made a face, but {she} swallowed it.
  It tasted horrible, but {she} took it.
  {Friend} sat by the bed until {she} was asleep.
  {She} slept through the whole day.
- After three days the fever was gone.
  Slowly {she} grew stronger, and soon {she} was up again.
  A week later {she} was as well as ever.
  By Sunday {she} could laugh again.

train; town: Vienna, Lisbon, Turin, Ghent, Cork, Oslo
- {Name} wanted to visit {Friend} in {town}.
  {Friend} had invited {Name} to {town}.
  In summer {Name} made a plan to go to {town}.
  {Name} had never been in {town} before.
- {She} packed a small bag the night before.
  {She} put two shirts and a book into a bag.
  “Have I forgotten anything?” {she} asked as {she} closed the bag.
  The bag was so full that {she} had to sit on it.
- At the station {she} bought a ticket.
  {She} stood in a long line at the ticket window.
  {She} took a cab to the station and paid for a ticket.
  A ticket to {town} cost more than {she} had thought.
~ The train was late, and {she} walked up and down.
  {She} waited on the platform in the cold.
  {She} drank a coffee until the train came in.
  “From which platform does it leave?” {she} asked.
- {She} got on and found a seat by the window.
  The train came in and {she} climbed into the last carriage.
  {She} helped an old woman up the steps and sat down.
  The doors closed just behind {her}.
- Fields and villages flew past.
  {She} watched the hills go by for hours.
  During the journey {she} read half of the book.
  Soon {she} was asleep with {hers} head on the glass.
- The train stopped in {town} in the evening.
  “{town}, last stop!” called a voice.
  Six hours later {she} stepped down in {town}.
  At last {she} saw the lights of {town}.
- {Friend} was waiting under the clock.
  {Friend} took {hers} bag and kissed {her}.
  “How was the journey?” asked {Friend}.
  {She} looked around, and there was {Friend} with flowers.

fishing; fish: trout, pike, carp, perch, salmon
- {Name} and {Friend} went down to the river before sunrise.
  It was still dark when {Name} woke {Friend} to go fishing.
  {Name} wanted to show {Friend} how to fish.
  On Sunday {Name} took a rod and went to the river with {Friend}.
- They dug for worms in the wet grass.
  {Friend} carried the can with the worms.
  They sat down on a flat stone near the water.
  {Name} put a worm on each hook.
- {She} threw the line far out into the stream.
  Then the two lines were in the water.
  They threw out their lines and were silent.
  The hooks sank into the dark water.
~ “Why does nothing happen?” {he} asked after a while.
  For two hours nothing moved.
  {Friend} was bored and began to whistle.
  A heron stood on the other bank and waited too.
- Suddenly the rod bent down to the water.
  Then something pulled hard at the line.
  {Friend} felt a pull and jumped up.
  The line ran out so fast that it sang.
- Together they pulled with all their strength.
  “Hold it, do not let go!” cried {Name}.
  {She} took the rod and pulled, while {he} held the net.
  The fish fought for a quarter of an hour.
- In the end a big {fish} lay in the grass.
  It was {a fish} as long as an arm.
  They lifted {a fish} out of the river.
  A fat {fish} came out of the water, shining like silver.
- At noon they fried it over a fire.
  {She} cleaned it and they roasted it on a stick.
  They ate it in the evening with bread and salt.
  {He} looked at it for a long time and let it swim away.

garden; plant: bean, pumpkin, sunflower, pea, cucumber
- In March {Name} had a bag of {plant} seeds.
  {Name} found an old {plant} seed in a drawer.
  {Friend} gave {Name} a few {plant} seeds in spring.
  Behind the house of {Name} lay a piece of bare ground.
- {She} dug up the earth and broke the lumps.
  First {she} pulled out the weeds and the stones.
  {She} took a spade and dug until noon.
  The ground was hard, and {she} worked for two days.
- Then {she} pressed the seed into the soil.
  {She} made a hole with one finger and dropped the seed in.
  {She} put the seeds in a straight row.
  {She} sowed and covered everything with earth.
- Every evening {she} brought water from the pump.
  {She} watered the place each morning.
  “Now you must drink,” {she} said and poured water on it.
  When it did not rain {she} carried water there.
- After ten days a green tip came out of the earth.
  One morning there was something green.
  Then two small leaves opened.
  “Look, it is coming up!” {she} called to {Friend}.
~ A snail had eaten one leaf, and {she} was angry.
  {She} put a stick next to it so that it could climb.
  By June it was as high as the fence.
  The neighbours stopped and asked what it was.
- In July it had yellow flowers full of bees.
  In summer the flowers opened.
  Then it began to bloom.
  Bees came from everywhere to its flowers.
- In autumn {she} picked more than {she} could carry.
  {She} filled two baskets at the harvest.
  At the end of summer {she} shared the harvest with {Friend}.
  {She} ate the first {plant} of {hers} own garden.

dog; colour: black, brown, white, spotted, grey; name: Bruno, Rex, Toby, Max
- {Name} had a {colour} dog called {name}.
  The {colour} dog of {Name} was called {name}.
  Every day {Name} took {name} to the park.
  {Name} opened the garden gate to bring in the post.
- At that moment a cat ran across the street.
  A hare jumped up in front of them.
  Then a loud bang frightened the dog.
  A boy rode past on a horse.
- {name} pulled so hard that the rope broke.
  The dog barked and ran after it.
  Before {she} could shout, the dog was gone.
  {name} shot through the gate like an arrow.
- “{name}, come back!” {she} shouted.
  {She} ran after him as fast as {she} could.
  {She} whistled and called, but he did not hear.
  {She} called his name until {hers} voice was gone.
- {She} asked everybody in the street about him.
  “Have you seen a {colour} dog?” {she} asked {Friend}.
  {She} wrote his name on a paper and hung it on a tree.
  Until midnight {she} looked for him with a lamp.
~ That night {she} could not sleep.
  {She} left the door open and put out his bowl.
  It grew dark, and {she} sat on the steps and cried.
  “He will come back,” said {Friend} to comfort {her}.
- In the morning something scratched at the door.
  At sunrise {she} heard barking.
  The next day {Friend} came with the dog on a string.
  Then a wet nose touched {hers} hand.
- {name} was dirty, tired and very hungry.
  There he stood with mud up to his ears.
  He wagged his tail as if nothing had happened.
  {She} put {hers} arms around him and did not scold him.

messenger; news: war, an attack, a great fire, a victory, a rebellion
- The king sat in his hall with his lords.
  One evening the king was eating with his men.
  The king stood at the window and looked to the east.
  There was a feast that night in the house of the king.
- Far away a rider came down the road.
  Then there was a noise of horses in the court.
  A horse stopped before the gate.
  The watchman saw dust on the road and blew his horn.
- “Who is there?” called the guard at the gate.
  The guards held their spears against the man.
  The guard asked him for his name.
  At the gate he was stopped by two soldiers.
- “I am a messenger, and I must see the king,” said the man.
  He showed the ring of the captain, and they let him in.
  He said that he had ridden for three days.
  “Let me in, for I bring news,” he answered.
- They took the man before the king.
  He came into the hall, covered with dust.
  The man went down on his knees before the throne.
  He bowed to the ground, and everyone was silent.
- “My lord, there is {news} in the north,” he said.
  He told the king that there was {news} in the land.
  He gave the king a letter, and it spoke of {news}.
  “What news do you bring?” asked the king. “It is {news},” he said.
~ The king grew pale and put down his cup.
  The lords began to speak all at the same time.
  For a long time the king said nothing.
  The king read it twice and gave it to his son.
- Then the king sent for his captains.
  “Saddle the horses,” ordered the king.
  He called all the men of the town together.
  The same hour the king put on his armour.
- At sunrise they rode out of the town.
  Before morning a thousand men were on the road.
  The gates opened, and the army marched out.
  The people stood on the walls and watched the army go.

shepherd; animal: lamb, goat, kid, ewe; hiding: thorn bush, deep pit, crack in the rock, cave
- {Name} kept the sheep of the village on the hill.
  There was a shepherd whose name was {Name}.
  Every morning {Name} led the flock up the mountain.
  {Name} was a shepherd, as {hers} father had been.
- At sunset {she} counted the animals.
  In the evening {she} brought them down and counted them.
  {She} stood at the gate and let them in one by one.
  When night fell {she} counted the flock twice.
- One was missing.
  There were ninety-nine, and there should have been a hundred.
  “Where is the little {animal}?” {she} said.
  The smallest {animal} was not there.
- {She} left the others with the dog and went back.
  {She} shut the gate and climbed up the hill again.
  {She} took {hers} staff and a lamp and went to look for it.
  Though {she} was tired, {she} turned round.
~ {She} called, but only the wind answered.
  It was cold on the mountain, and wolves were near.
  {She} cut {hers} hands on the stones.
  Twice {she} fell in the dark.
- Then {she} heard a weak cry.
  Near the top something moved in front of {her}.
  At last there was a sound, far below.
  {She} held up the lamp and saw two eyes.
- The {animal} was caught in a {hiding}.
  The poor {animal} had fallen into a {hiding}.
  It lay in a {hiding} and could not get out.
  {She} looked into a {hiding}, and it was there.
- {She} freed it and laid it on {hers} shoulders.
  {She} bent down and lifted it out.
  Gently {she} pulled it out by its legs.
  {She} lay on the ground and reached down until {she} had it.
- So they came home at midnight, and there was joy in the house.
  {She} carried it all the way down to its mother.
  Back at home {she} gave it warm milk.
  “I have found it!” {she} cried to the neighbours.

chair; broken: chair, table, bench, ladder, cradle
- {Friend} sat down and the {broken} broke under {him}.
  There was a crack, and the old {broken} fell over.
  One leg of the {broken} had come off.
  The {broken} of {Name} had been shaking for years.
- “Shall we throw it away?” asked {Friend}.
  {Friend} wanted to burn it in the stove.
  {Friend} said that a new one would be cheap.
  {Friend} was sorry and offered to buy a new one.
- “No, I can mend it,” said {Name}.
  But {Name} wanted to keep it, because it had been made by {hers} father.
  {Name} shook {hers} head and carried it to the shed.
  {Name} turned it over and looked at the damage.
- {She} got a hammer, nails and glue.
  {She} fetched {hers} tools from the cellar.
  First {she} took out the old nails.
  {She} looked for a piece of good wood.
- {She} measured the wood and sawed it.
  Then {she} cut a new leg from a branch.
  {She} put glue on both ends and pressed them together.
  {She} held two nails between {hers} lips and hammered.
~ Once {she} hit {hers} thumb and cried out.
  The glue had to dry for a night.
  {Friend} held the lamp for {her}.
  It took the whole afternoon.
- {She} rubbed it smooth and painted it green.
  At last {she} covered it with new paint.
  Then {she} polished it with oil.
  When it was done {she} brushed off the dust.
- “Try it,” {she} said, and {Friend} sat down carefully.
  {She} set it on its legs, and it stood firm.
  {Friend} jumped on it, and it held.
  Since then it has stood in the kitchen again.

tailor; cloth: wool, linen, silk, velvet; garment: coat, jacket, dress, cloak
- Winter came, and {Name} had nothing warm to wear.
  The old {garment} of {Name} was full of holes.
  {Name} needed a new {garment} for the wedding.
  {Name} had saved some money for a {garment}.
- {She} went to the shop of the tailor.
  So {she} asked for the best tailor in town.
  A bell rang as {she} opened the door of the tailor.
  The tailor looked up from his work when {she} came in.
- “What can I do for you?” asked the tailor.
  The tailor asked {her} what {she} wanted.
  {She} said that {she} needed {a garment}.
  “I would like {a garment},” {she} said.
- He showed {her} {cloth} in many colours.
  {She} felt the {cloth} between two fingers.
  They chose a piece of blue {cloth}.
  “This {cloth} will last for ten years,” said the tailor.
- Then he measured {hers} arms and {hers} back.
  {She} stood on a stool while he measured {her}.
  He put a tape around {hers} chest and wrote down the numbers.
  “Stand straight,” he said with the tape in his hand.
- He cut the cloth and sewed for five days.
  All week the tailor sat bent over the {cloth}.
  His needle went up and down until late at night.
  For five days he cut and sewed.
~ {She} came back to try it on, and one sleeve was too long.
  He had to shorten it a little.
  He put in pins where it was too wide.
  {She} turned before the mirror, and he moved two buttons.
- On Saturday the {garment} was ready.
  “It is finished,” said the tailor proudly.
  A boy brought the {garment} to {hers} house.
  {She} paid and put on the new {garment}.
- {Friend} hardly knew {her} when {she} came down the street.
  Everybody turned to look at {her}.
  “How well it suits you!” said {Friend}.
  {She} wore it every day that winter.

thief; lost: purse, watch, ring, silver cup, gold chain
- {Name} stood in the crowd and listened to a singer.
  There were many people in the square where {Name} was walking.
  At the fair {Name} watched a dancing bear.
  {Name} was looking at the shop windows.
- A thin man came very near.
  Somebody pushed {her} from behind.
  A stranger asked {her} the way and stood close to {her}.
  {She} did not see the man behind {her}.
- Then a hand slipped into {hers} bag.
  He took the {lost} out of {hers} pocket.
  Quick as a cat he pulled out the {lost}.
  Before {she} knew it, his fingers were in {hers} bag.
- A moment later {she} felt that the {lost} was gone.
  “My {lost}!” {she} cried.
  {She} reached for the {lost} and found nothing.
  “Where is my {lost}?” {she} asked in fear.
- {She} saw the man running away.
  The thief was already at the corner.
  “Stop him, he is a thief!” {she} shouted.
  The man heard {her} and began to run.
- {Friend} jumped in front of him.
  {Friend}, who was strong, ran after him.
  Two soldiers closed the street.
  At the bridge {Friend} caught him by the coat.
~ The man said that he was innocent.
  The man fell on his knees and wept.
  They held him by both arms.
  “I was hungry,” said the thief.
- They found the {lost} in his boot.
  In his hat was the {lost}.
  He opened his hand and there was the {lost}.
  He gave the {lost} back without a word.
- The thief was taken to the judge.
  {She} thanked {Friend} with all {hers} heart.
  So he went to prison for a year.
  {She} had pity and let him go.

well; farm: village, farm, monastery, inn
- It had not rained for three months.
  That summer the river was dry.
  The fields around the {farm} were brown and dead.
  The animals of the {farm} were dying of thirst.
- “We must dig a well,” said {Name}.
  So {Name} walked over the land with a forked stick.
  {Name} asked the old people where there had been water.
  {Name} dreamed of water under the oak tree.
- Under the oak {she} stuck a spade into the ground.
  {She} marked a circle on the ground and began to dig.
  The same day {she} and {Friend} began to dig.
  {Name} dug and {Friend} carried the earth away.
- At first there was only sand.
  After two days they stood as deep as a man.
  They came to a rock and had to break it.
  The hole became deeper, but it stayed dry.
~ The people laughed at them.
  “You will find nothing,” said an old man.
  {Friend} wanted to stop.
  Their hands were full of blisters.
- On the sixth day the earth was wet.
  Then {she} felt something cold under {hers} feet.
  All at once {she} cried out from below.
  {Friend} let down a bucket, and it came up with mud.
- Clear water rose in the hole.
  Water ran in from all sides.
  Soon the water was up to {hers} knees.
  {She} tasted it, and it was sweet and cold.
- {He} pulled {her} up with a rope.
  They lined the well with stones.
  All the people came running with jugs.
  The cows drank until they could drink no more.
- From that day the {farm} had water even in summer.
  Until today it is called the well of {Name}.
  That night they danced around the well.
  Nobody laughed any more.

fire; building: barn, mill, stable, bakery
- In the night {Name} smelled smoke.
  A strange light on the wall woke {Name}.
  {Name} heard a crackling sound and sat up in bed.
  It was midnight when the dog of {Name} began to bark.
- {She} ran to the window, and the {building} was burning.
  {She} saw flames on the roof of the {building}.
  Fire was coming out of the {building}.
  When {she} looked out, the sky above the {building} was red.
- “Fire, fire!” {she} cried and woke the others.
  {She} ran from house to house and knocked on every door.
  {She} rang the bell until everybody was awake.
  Without shoes {she} ran to fetch {Friend}.
- The men made a line to the river.
  Everyone came with buckets.
  People brought ladders and wet blankets.
  They passed the buckets from hand to hand.
~ “Are the horses still inside?” somebody asked.
  {Friend} heard the horses scream.
  {He} put a wet cloth over {his} head and went in.
  {Friend} broke the door with an axe.
- They poured water on the flames for hours.
  The heat was so great that nobody could go near.
  The roof fell in and sparks flew up.
  The wind blew the sparks towards the houses.
- Towards morning it began to rain.
  At last the flames grew small.
  When the sun rose the fire was out.
  Then the wind turned, and the worst was over.
- Only black beams were left of the {building}.
  They looked at the smoking ruins, and their faces were black.
  {Name} sat on the ground and could not speak.
  Nobody was hurt, and they thanked God for it.
- In spring they built it again.
  The neighbours gave wood for a new {building}.
  Within a year there was a new one of stone.
  The next week they began to clear the ground.

school; subject: history, Latin, geometry, spelling, geography
- “Tomorrow we write a test in {subject},” said the teacher.
  The teacher told the class to prepare for a test in {subject}.
  {Name} was afraid of the test in {subject}.
  On Thursday there was going to be a test in {subject}.
- In the afternoon {Name} sat down with the book.
  At home {Name} opened the {subject} book for the first time.
  “Will you help me?” {Name} asked {Friend}.
  {Name} did not go out to play that day.
- {She} learned until {hers} eyes closed.
  {Friend} asked {her} one question after another.
  {She} wrote down everything that was hard.
  By nine o'clock {she} knew the first ten pages.
~ At night {she} dreamed of wrong answers.
  {She} put the book under the pillow.
  In the morning {she} could not eat anything.
  On the way to school {she} repeated it all once more.
- The teacher handed out the papers.
  Then the class became quiet and the test began.
  {She} turned the paper over and read the questions.
  “You have one hour,” said the teacher.
- The first question was easy.
  {She} knew the answer to the first one at once.
  {She} began to write as fast as {she} could.
  {She} looked at the paper, and {hers} head was empty.
- At the third question {she} had to think for a long time.
  Only the last question was too hard.
  {She} bit {hers} pencil and looked out of the window.
  “Ten more minutes,” said the teacher.
- Then the bell rang, and {she} gave in the paper.
  {She} wrote the last word as the bell rang.
  The teacher collected the papers.
  {She} put down the pen and took a deep breath.
- A week later the teacher gave the papers back.
  On Monday they got their marks.
  “Well done, {Name},” said the teacher a few days later.
  The teacher laid the paper on {hers} desk, and there was a red nine on it.
- {She} ran home to tell {Friend}.
  {She} was so proud that {she} showed it to everyone.
  That evening there was ice cream.
  {She} could hardly believe it.

violin; instrument: violin, flute, trumpet, guitar, harp
- In an old chest {Name} found {a instrument}.
  {Friend} left {Name} {his} {instrument}.
  {Name} heard {a instrument} in the street and stopped to listen.
  For {hers} birthday {Name} was given {a instrument}.
- “I want to learn to play that,” {she} said.
  {She} wished to play it more than anything else.
  {She} cleaned the {instrument} with a soft cloth.
  {She} held it in both hands as if it were a child.
- So {she} went to the music teacher once a week.
  {Friend} found a teacher for {her}.
  An old musician agreed to teach {her}.
  “Come on Tuesday,” said the music teacher.
- The first notes sounded terrible.
  At first it sounded like a sick cat.
  At {hers} first lesson no note was right.
  {Friend} put {his} hands over {his} ears.
- But {she} practised every day.
  Each morning before breakfast {she} practised.
  “Again,” said the teacher, “and slower.”
  {She} played the same line a hundred times.
~ The neighbours complained about the noise.
  {Hers} fingers hurt, but {she} did not stop.
  After a month {she} could play a little song.
  Once {she} threw the notes on the floor and cried.
- By winter {she} played so well that people stopped to listen.
  After a year it sounded sweet.
  Little by little it began to sound like music.
  Slowly {hers} fingers learned the way.
- Then {she} was asked to play in the church.
  In spring there was a concert.
  One day {she} stood on a stage for the first time.
  “Will you play at my wedding?” asked {Friend}.
- {She} played without one mistake.
  {Hers} hands trembled, but the music was clear.
  When {she} began, the hall became silent.
  {She} closed {hers} eyes and played.
- At the end everyone clapped.
  The people stood up and shouted for more.
  The old teacher had tears in his eyes.
  {She} bowed and was happy.

storm; ship: ship, boat, little boat, ferry; saint: captain, steersman, sailor
- {Name} and {Friend} sailed out of the harbour.
  The {ship} left the harbour on a calm morning.
  {Name} was on a {ship} to the islands.
  The sea was flat when {Name} and {Friend} set sail.
- For two days the wind was fair.
  They passed the lighthouse and saw the land no more.
  At noon the sails hung down, for there was no wind.
  Dolphins swam next to the {ship}.
- On the third day black clouds came up.
  Then the {saint} looked at the sky and frowned.
  “I do not like those clouds,” said the {saint}.
  The birds flew low and the air was heavy.
- A great wind fell upon them.
  The storm came before they could take in the sails.
  Suddenly the wind howled in the ropes.
  Thunder broke right over their heads.
- Waves as high as houses beat over the deck.
  The waves threw the {ship} up and down.
  Water came in from all sides.
  The sea washed over the {ship}.
~ “Shall we all die?” asked {Friend}.
  They threw the cargo into the sea.
  {Friend} tied himself to the mast.
  Everybody prayed aloud.
- Then the mast broke with a crash.
  A wave tore away the rudder.
  In the night they struck a rock.
  The wood cracked, and the {ship} began to sink.
- {Name} held on to a plank.
  They jumped into the water.
  {She} caught {Friend} by the hand and swam.
  They let themselves down into the small boat.
- In the morning the waves carried them to a beach.
  When it was light they saw land.
  They woke up on white sand.
  At sunrise the sea was calm and they lay on the shore.
- Fishermen found them and gave them bread.
  “Where are we?” {she} asked the people there.
  They kissed the ground, because they were alive.
  Half dead they climbed up to a village.

cat; high: roof, chimney, church tower, tall pine
- The kitten of {Name} had climbed up the {high}.
  “Your cat is sitting on the {high},” said {Friend} to {Name}.
  A big dog chased the cat of {Name} as far as the {high}.
  {Name} looked for {hers} cat everywhere, and it was on top of the {high}.
- It was crying and did not dare to come down.
  It sat up there and mewed.
  The cat looked down and shook with fear.
  It had gone up easily, but it could not get down.
- {Name} held out a piece of fish and called.
  {She} called it by its name and made sweet noises.
  {She} put a bowl of milk on the ground.
  “Come down, little one,” {she} begged.
- The cat did not move.
  It only cried more loudly.
  It took one step and went back again.
  But it held on even harder.
- So {Friend} went to get a long ladder.
  “We need a ladder,” said {Friend}.
  {Friend} ran to the firemen.
  They carried a ladder from the farm.
- They leaned the ladder against the {high}.
  {He} put up the ladder while {she} held it.
  {He} set {his} foot on the first step.
  Slowly {he} went up, step by step.
~ “Be careful!” called {Name} from below.
  The ladder shook in the wind.
  A crowd had come to watch.
  {She} did not dare to look.
- {He} stretched out {his} arm and took the cat by the neck.
  At the top {he} spoke softly to the cat.
  {He} put the cat inside {his} jacket.
  The cat dug its claws into {his} sleeve.
- Both came down safe.
  {He} climbed down with the cat on {his} shoulder.
  Step by step {he} came back to the ground.
  {He} laid the cat in {hers} arms.
- The cat jumped down and drank its milk.
  The next morning it was up there again.
  {She} kissed first the cat and then {Friend}.
  {His} hands were scratched, but {he} laughed.

river; water: river, stream, flood, torrent
- {Name} and {Friend} were on the way to the town.
  {Name} had to be on the other side before dark.
  The road of {Name} and {Friend} led down to the {water}.
  {Name} and {Friend} came to the {water} at noon.
- The bridge had been carried away.
  Where the bridge had been, there was only water.
  There was no bridge, and the water was high.
  “What has happened to the bridge?” asked {Friend}.
- They walked along the bank to find a shallow place.
  {She} threw in a stick to see how fast the water was.
  {Friend} tested the depth with a pole.
  They asked a miller where they could cross.
~ “I cannot swim,” {he} confessed.
  {Friend} was afraid of the water.
  The horse did not want to go in.
  {He} wanted to turn back.
- Then {she} took off {hers} shoes and stepped in.
  {She} tied a rope around {hers} waist and went first.
  “Take my hand,” {she} said and walked into the water.
  {She} went ahead, feeling the ground with {hers} feet.
- In the middle the water reached {hers} chest.
  Half way across the current was very strong.
  The stones were round and slippery.
  The cold took {hers} breath away.
- {He} slipped and went under.
  Suddenly {Friend} lost {his} footing.
  A tree trunk came down and hit {him}.
  “Help!” cried {Friend}, and the water closed over {him}.
- {She} caught {him} by the hair.
  {She} pulled at the rope with all {hers} strength.
  {She} held {him} fast until {he} found the ground again.
  A strong arm pulled {him} up, and it was {Name}.
- Wet and cold they reached the other bank.
  At last they were on dry ground.
  They fell down in the grass on the far side.
  On the other side they made a fire.
- “I owe you my life,” {he} said.
  They dried their clothes and went on.
  They laughed because they were still alive.
  In the evening they saw the lights of the town.

gift; present: drum, kite, telescope, knife, doll, ball
- Next week {Friend} was going to be ten years old.
  The birthday of {Friend} was near, and {Name} had no present.
  “What does {Friend} want for {his} birthday?” asked {Name}.
  {Name} knew that {Friend} had always wished for {a present}.
- {She} broke open {hers} money box.
  {She} counted {hers} savings on the bed.
  For a month {she} had washed dishes for money.
  {She} had only a few coins.
- In the toy shop {she} looked at everything.
  {She} went to the shop around the corner.
  The shopkeeper laid three things before {her}.
  “I am looking for a present,” {she} told the shopkeeper.
- {She} chose {a present} and paid for it.
  There was {a present}, and {she} had just enough money.
  {She} pointed at {a present} in the window.
  The best thing in the shop was {a present}, and {she} bought it.
- At home {she} wrapped it in red paper.
  {She} put it into a box with a ribbon.
  Then {she} tied a gold ribbon around it.
  {She} wrote a card and stuck it on the paper.
~ {She} hid it under {hers} bed until the day came.
  It was hard not to tell {him}.
  {He} searched the house, but {he} did not find it.
  “You will never guess what it is,” {she} told {him}.
- On the morning of {his} birthday {she} sang for {him}.
  At last the day came, and {he} got up early.
  At breakfast there was a parcel next to {his} plate.
  {She} held it behind {hers} back and told {him} to close {his} eyes.
- {He} tore off the paper.
  {He} shook the parcel before {he} opened it.
  With shaking fingers {he} untied the ribbon.
  {He} pulled at the ribbon and lifted the lid.
- “{A present}!” {he} shouted.
  {He} could not believe it, for it was {a present}.
  {He} jumped up and down with the {present} in {his} hands.
  {His} eyes shone when {he} saw the {present}.
- {He} played with it until the evening.
  {He} took it to bed with {him}.
  {He} hugged {her} and ran out to try it.
  The same day {he} lent it to {her}.

morning; food: bread, porridge, an egg, an apple; work: office, bakery, hospital, factory
- The alarm clock rang at six.
  At six o'clock the alarm woke {Name}.
  {Name} was still dreaming when the clock rang.
  The sun shone on the face of {Name} and woke {her}.
- {Name} opened one eye and turned over.
  {Name} yawned and stretched {hers} arms.
  “Five more minutes,” murmured {Name}.
  {Name} pushed the button and sat up.
- At last {she} got out of bed.
  {She} put {hers} feet on the cold floor.
  Then {she} jumped out of bed.
  Slowly {she} stood up and opened the curtains.
- {She} washed {hers} face with cold water.
  In the bathroom {she} brushed {hers} teeth.
  {She} stood under the shower and sang.
  {She} combed {hers} wet hair before the mirror.
- {She} put on a clean shirt.
  Then {she} got dressed in a hurry.
  {She} looked for a second sock.
  {She} buttoned {hers} shirt and put on {hers} shoes.
- In the kitchen {she} made coffee.
  {She} went down to the kitchen, where the kettle was boiling.
  “Is there coffee?” {she} asked {Friend} in the kitchen.
  The smell of coffee drew {her} into the kitchen.
- For breakfast {she} ate {food}.
  {She} ate {food} and read the paper.
  {She} sat down and had {food} with a cup of coffee.
  There was {food} on the table, and {she} ate it standing.
~ {She} looked at the clock and jumped up.
  It was later than {she} had thought.
  {She} left the cup in the sink.
  {She} kissed {Friend} on the cheek.
- {She} took {hers} bag and left the house.
  {She} closed the door behind {her}.
  Outside {she} ran for the bus.
  At half past seven {she} was in the street.
- At eight {she} was in the {work}.
  The bus brought {her} to the {work}.
  {She} reached the {work} just in time.
  “Good morning,” {she} said as {she} came into the {work}.

soup; root: carrot, potato, onion, turnip, leek
- It was cold outside, and {Name} and {Friend} were hungry.
  {Friend} came in from the snow and asked for something hot.
  “What shall we eat tonight?” asked {Friend}.
  {Name} decided to make soup for everyone.
- {She} looked into the cupboard and found one {root}.
  {Name} fetched a big {root} from the cellar.
  There was nothing left but {a root} and some salt.
  {Name} took {a root} from the basket.
- {She} peeled the {root} and cut it into pieces.
  {She} washed it under the tap and chopped it.
  With a sharp knife {she} cut it up.
  {She} wept a little as {she} cut it.
- {She} filled a pot with water and set it on the fire.
  Then {she} put a pot of water on the stove.
  {Friend} made the fire while {she} brought water.
  {She} hung the black pot over the flames.
- When the water boiled {she} threw in the pieces.
  The water bubbled, and in went the {root}.
  {She} let it cook for half an hour.
  It boiled and filled the room with steam.
~ {She} tasted it and made a face.
  “It needs salt,” {she} said.
  {Friend} lifted the lid and sniffed.
  {She} added pepper and a bit of butter.
- “It is ready, come to the table!” {she} called.
  {She} filled two bowls to the brim.
  {She} put the steaming pot on the table.
  {Friend} had already laid the spoons.
- {He} burned {his} tongue on the first spoon.
  They ate without a word.
  {He} blew on the spoon and swallowed.
  {He} broke bread into {his} bowl and ate.
- {He} wiped the bowl with the last crust.
  “Is there more?” asked {Friend}.
  Soon the pot was empty.
  {He} had three bowls and fell asleep in the chair.

painting; colour: blue, yellow, green, white, red; room: kitchen, fence, door, bedroom
- “This {room} looks sad,” said {Name}.
  The paint on the {room} was old and grey.
  {Name} was tired of the grey {room}.
  {Friend} said that the {room} needed new paint.
- {She} bought a bucket of {colour} paint.
  “Which colour do you want?” asked {Friend}, and {she} said {colour}.
  In the shop they chose {colour}.
  {Friend} came home with {colour} paint and two brushes.
- They covered the floor with newspapers.
  First {she} washed off the dirt.
  They put on old clothes and paper hats.
  {She} carried everything else away.
- {She} opened the bucket with a knife.
  {She} dipped the brush into the paint.
  Then {she} stirred the paint with a stick.
  {He} held the bucket, and {she} took the brush.
- They began at the top and worked down.
  {She} painted with long strokes.
  {She} painted one side and {he} the other.
  Stroke by stroke it became {colour}.
~ A drop fell on {his} nose.
  {He} stepped into the bucket.
  The cat walked over the wet paint.
  {She} laughed, because there was paint in {his} hair.
- By evening the first coat was on.
  When it was dark they were done.
  The last corner took an hour.
  At six the bucket was empty.
- They let it dry overnight.
  “Do not touch it, it is wet,” {she} warned.
  {She} hung up a sign that it was wet.
  They opened the windows because of the smell.
- {She} washed the brushes and went to bed.
  They cleaned the brushes with oil.
  It took days to get the paint off their hands.
  {He} put the newspapers into the bin.
- In the morning the {room} shone in the sun.
  The next day everyone admired the {room}.
  Now {she} smiles each time {she} sees the {room}.
  “It looks like new,” said {Friend} the next day.

match; team: red team, team of the village, younger team, home team
- On Sunday the whole village came to see the match.
  {Name} was the smallest player of the {team}.
  It was the last match of the year, and {Name} was on the bench.
  Rain had made the field soft before the match of {Name}.
- The referee blew his whistle.
  At three o'clock the match began.
  The ball was put in the middle and the game began.
  “Play!” cried the referee.
- After ten minutes the others scored.
  The first goal was against the {team}.
  The others were faster, and soon they led by one to nothing.
  A long shot, and the {team} was behind.
~ {Friend} hit the post with {his} head.
  At half time they drank tea and were silent.
  The coach shouted until he was red.
  “Are you asleep?” cried the coach.
- In the second half {Friend} was hurt.
  {Friend} fell and held {his} leg.
  Then {Friend} had to be carried off the field.
  Soon {Friend} could not run any more.
- So the coach sent in {Name}.
  “{Name}, it is your turn,” said the coach.
  {Name} took off the jacket and ran onto the field.
  {Name} came in for {Friend}.
- {She} got the ball and ran past two players.
  {She} stole the ball from a much bigger player.
  {Friend} cheered from the side when {she} had the ball.
  With the ball at {hers} feet {she} ran towards the goal.
- {She} shot with the left foot.
  {She} looked up once and kicked.
  The goalkeeper came out, and {she} lifted the ball over him.
  From far away {she} took a shot.
- The ball flew into the corner of the net.
  Goal!
  The net moved, and for a second nobody made a sound.
  The ball touched the post and went in.
- Everyone jumped up and shouted {hers} name.
  The players threw themselves on {her}.
  They carried {her} around the field on their shoulders.
  In the evening they were still singing about {her}.

guest; cause: snow, mist, storm, dark
- It was a stormy night, and {Name} sat by the fire.
  Late in the evening {Name} was reading in bed.
  {Name} lived alone in a hut in the forest.
  {Name} and {Friend} were about to put out the light.
- Somebody knocked at the door.
  Then there came three knocks.
  All of a sudden there was a knock.
  {She} heard steps outside and then a knock.
- “Who is there at this hour?” {she} called.
  {She} took the lamp and went to the door.
  {She} looked through the keyhole.
  {She} asked who was there.
- “I have lost my way in the {cause},” answered a voice.
  It was an old man who had lost his way in the {cause}.
  A weak voice begged {her} to open.
  “Let me in, I am freezing,” said somebody outside.
- {She} pulled back the bolt and let him in.
  {She} opened the door a little.
  When {she} opened, a man fell over the threshold.
  {She} unlocked the door, though {she} was afraid.
- The stranger was wet to the skin.
  His beard was full of ice.
  Water dripped from his hat onto the floor.
  He could hardly speak, so cold was he.
- {She} gave him a dry blanket and a place by the fire.
  {She} put wood on the fire and took his coat.
  “Sit down and get warm,” {she} said.
  {She} led him to the fire and brought him hot soup.
~ He ate as if he had not eaten for days.
  He told {her} stories of far lands.
  He asked {her} why {she} lived there.
  Then they talked until midnight.
- He slept on the floor next to the stove.
  {She} made a bed for him of straw.
  Soon he was asleep in the chair.
  {She} gave him {hers} own bed that night.
- In the morning he was gone.
  When {she} woke up, the bed was empty.
  At sunrise he thanked {her} and left.
  The next day the sun shone, and he went on.
- On the table lay a gold coin.
  {She} found a ring under the cup.
  {She} never learned who he was.
  Only his footprints were left at the door.

map; object: old book, bottle, wooden box, broken clock
- In {a object} {Name} found a piece of yellow paper.
  {Name} opened {a object}, and a paper fell out.
  {Friend} bought {a object} and gave it to {Name}.
  A paper was hidden in {a object} that {Name} had from {hers} grandmother.
- It was a map with a red cross.
  On it somebody had drawn an island and a cross.
  {She} held it to the light and saw lines.
  “This is a map!” {she} said.
- {She} showed it to {Friend}.
  {She} ran to {Friend} with the paper in {hers} hand.
  {Friend} looked at it through a glass.
  “Do you know this place?” {she} asked {Friend}.
- “That is the hill behind the church,” said {Friend}.
  {He} knew the place at once.
  {He} said that it must be the old mill.
  They studied it until {he} saw that it was their own hill.
- The next morning they took a spade and set out.
  At night they went there with a lantern.
  They packed a spade, rope and bread.
  Without telling anyone, they went there.
~ A thorn tore {his} sleeve.
  They lost the way twice.
  From the great stone they counted a hundred steps.
  “Is it much further?” {he} asked.
- There stood the tree from the map.
  {She} stopped and pointed at the ground.
  “It must be here,” {she} said.
  The cross was between two rocks, and so were they.
- They dug until the spade hit something hard.
  {He} dug while {she} held the light.
  They had dug for an hour when it rang like iron.
  First there were only roots and stones.
- It was a chest with an iron lock.
  They pulled a heavy chest out of the hole.
  A box came out of the earth, eaten by rust.
  With the last of their strength they lifted out a box.
- {She} broke the lock with a stone.
  The lid would not open, so {he} hit it.
  Together they opened the lid.
  {She} blew off the dust and lifted the lid.
- It was full of silver coins.
  There was nothing inside but a letter.
  Gold shone in the light of the lamp.
  They looked in and began to laugh.

wolf; herd: sheep, goats, calves, geese
- Every night something stole the {herd} of {Name}.
  In the morning two of the {herd} of {Name} were dead.
  {Name} had counted the {herd}, and again there were fewer.
  The {herd} of {Name} cried out in the night.
- There were tracks of a wolf in the snow.
  {She} found grey hair on the fence.
  {Friend} looked at the tracks and said it was a wolf.
  “That was a wolf,” said {Friend}.
- “Tonight we will catch it,” {she} decided.
  {She} was angry and wanted to put an end to it.
  So {she} and {Friend} made a plan.
  {She} asked the hunters for help, but they had no time.
- They dug a deep hole in front of the fence.
  {She} dug a pit and covered it with branches.
  They set a trap of iron.
  {He} tied a bell to the gate.
- Then they hid behind the hay.
  {She} sat down in the dark with a torch.
  They put out the lamp and waited.
  At nightfall they lay down on the roof of the stable.
~ {He} fell asleep, and {she} woke {him}.
  An owl called in the wood.
  It was so cold that their teeth chattered.
  “Did you hear that?” {he} whispered.
- About midnight a shadow came out of the wood.
  The moon came out, and there was the wolf.
  Two green eyes shone in the dark.
  Then the animals became restless.
- It came nearer, without a sound.
  The wolf smelled the air and came on.
  Step by step it crept to the fence.
  It lifted its head and howled.
- One more step, and it fell into the pit.
  There was a crash, and the wolf was caught.
  It jumped, and the branches broke under it.
  The trap closed with a loud noise.
- They lit the torch and ran out.
  {She} looked down, and it showed its teeth.
  “We have it!” {he} shouted.
  The wolf was big and thin and full of rage.
- From then on the {herd} were safe.
  {She} made a warm cap of its fur.
  They took it far away into the mountains and let it go.
  The whole village came to see the wolf.

bicycle; road: hill, road, forest path, bridge
- {Name} rode to the lake on an old bicycle.
  On a warm day {Name} took {hers} bicycle and rode out.
  {Name} was late and rode as fast as {she} could.
  {Name} had a new bicycle and was very proud of it.
- {She} went down the {road} without touching the brakes.
  The wind blew through {hers} hair on the {road}.
  On the {road} {she} sang aloud.
  {She} did not see the broken glass on the {road}.
- Then there was a bang.
  All at once {she} heard a hiss.
  The front wheel began to shake.
  It became harder and harder to ride.
- {She} stopped and got off.
  {She} nearly fell, but {she} could jump off.
  {She} stood still and looked at the wheel.
  “What is it now?” {she} said and got off.
- The tyre was flat.
  There was a nail in the tyre.
  All the air had gone out of the tyre.
  A piece of glass was sticking in the tyre.
~ There was no house far and wide.
  {She} had no pump and no glue.
  {She} kicked the wheel in anger.
  {She} began to push the bicycle along the road.
- After a while {Friend} came by.
  Luckily {Friend} stopped {his} cart.
  “Can I help you?” asked {Friend}.
  A man with a tool bag came along, and it was {Friend}.
- {He} took off the wheel and found the hole.
  {He} held the tube under water and saw bubbles.
  {He} turned the bicycle upside down.
  {He} pulled out the nail and marked the place.
- {He} glued a patch on it.
  Then {he} put a piece of rubber over the hole.
  With glue and a patch {he} closed it.
  {He} pressed the patch with {his} thumb for five minutes.
- {She} pumped until the tyre was hard.
  They filled it with air again.
  {He} pumped and {she} counted.
  Then {she} screwed the wheel back on.
- “How can I thank you?” {she} asked.
  {She} thanked {him} and rode on.
  {She} gave {him} half of {hers} bread.
  {She} waved until {he} was out of sight.

judge; thing: field, cow, horse, goat, house
- Two neighbours both said that the {thing} was theirs.
  {Name} and {Friend} had a quarrel about {a thing}.
  {Friend} had taken {a thing} that belonged to {Name}.
  “That {thing} is mine!” said {Name} to {Friend}.
- They shouted at each other in the street.
  Neither of them would give way.
  Soon they did not greet each other any more.
  It went on for weeks, and they came to blows.
- In the end they went before the judge.
  “Let the judge decide,” said {Name}.
  The matter came before the judge of the city.
  An old judge was asked to hear them.
- The judge told {her} to speak first.
  “What do you want?” asked the judge.
  The judge listened with closed eyes.
  “Speak one after the other,” said the judge.
- {She} said that {she} had it from {hers} father.
  {She} showed a paper with a seal.
  {Name} swore that it had always been {hers} own.
  {She} told him how {she} had bought it.
- Then {he} spoke and said the opposite.
  {Friend} answered that it was all a lie.
  After that it was the turn of {Friend}.
  {Friend} had brought two witnesses.
~ The judge stroked his beard.
  The judge thought about it for a night.
  People in the room began to laugh.
  “Silence!” cried the clerk.
- “Then I will cut it in two,” said the judge.
  The judge asked each of them one secret question.
  He sent them out and thought of a trick.
  He told them to bring the {thing} before him.
- {He} could not answer.
  {Friend} turned red and said nothing.
  At this {she} wept, but {he} agreed.
  {Friend} gave a wrong answer.
- So the judge saw who was lying.
  Then everyone knew the truth.
  “Now I know whose it is,” said the judge.
  The judge rose and pointed at {him}.
- {She} got the {thing} back.
  The {thing} was given to {Name}.
  {He} had to pay and to ask {her} for pardon.
  They shook hands and were friends again.

shoes; leather: red leather, soft leather, black leather, deerskin
- {Name} was a poor shoemaker.
  There once was a shoemaker called {Name}.
  In a narrow street {Name} made shoes.
  {Name} had leather left for only one pair of shoes.
- One day {Friend} came into the shop.
  A rich man called {Friend} opened the door.
  The bell rang and {Friend} came in with bare feet.
  {Friend}, a servant of the king, stopped at the shop.
- “I need a pair of shoes for dancing,” {he} said.
  {He} asked for a pair of boots.
  {He} put a bag of money on the table and ordered shoes.
  “Can you make me shoes by Friday?” asked {Friend}.
- {She} drew the shape of {his} feet on paper.
  {Name} measured {his} foot from heel to toe.
  {He} sat down, and {she} took {his} measure.
  {She} looked at {his} feet and nodded.
- Then {she} cut the {leather}.
  {She} laid out the {leather} and took the knife.
  For these shoes {she} used {leather}.
  That evening {she} cut the soles and the {leather}.
- {She} sewed it with strong thread.
  All night {she} sat with needle and thread.
  With small stitches {she} put the pieces together.
  {She} hammered little nails into the soles.
~ The candle burned down, and {she} lit another.
  Once {she} cut {hers} finger.
  {She} sang at work, for {she} was glad.
  At midnight {she} fell asleep over the shoes.
- At last {she} rubbed them until they shone.
  {She} polished them with wax.
  In the morning they stood finished on the table.
  They were the most beautiful shoes {she} had ever made.
- {Friend} came back and tried them on.
  On Friday {he} came to fetch them.
  “Are they ready?” {he} asked on Friday.
  {She} brought them to {his} house.
- They fitted as if {he} had been born in them.
  {He} walked up and down and smiled.
  {He} jumped, and they did not pinch.
  “I have never had such shoes,” {he} said.
- {He} paid twice the price.
  {He} told everybody where {he} had got them.
  Soon the whole court wore shoes by {Name}.
  With the money {she} bought leather for ten pairs.

snow; way: path, road, yard, steps
- In the night it had snowed.
  When {Name} looked out in the morning, everything was white.
  It snowed for three days, and {Name} could not leave the house.
  “Snow!” cried {Name} at the window.
- The snow was so high that the door did not open.
  There was snow up to the window.
  It lay deep on the {way}, and nobody could pass.
  The {way} could not be seen any more.
- {Name} put on boots and gloves.
  {She} wrapped a scarf around {hers} neck.
  {She} looked for {hers} thick gloves.
  {She} climbed out of the window.
- {She} took a shovel and began to clear the {way}.
  With a broom {she} swept the {way}.
  {She} shovelled the snow to both sides.
  First {she} made a narrow track.
~ {Friend} threw a snowball at {her}.
  “Do you need help?” called {Friend}.
  {Hers} breath was like smoke in the air.
  Soon {she} was so warm that {she} took off the scarf.
- After an hour the {way} was free.
  By noon {she} had reached the gate.
  {Hers} back hurt when it was done.
  At last a cart could pass again.
- There was a great heap of snow next to the house.
  {She} looked at the big heap and had an idea.
  “What shall we do with all this snow?” asked {Friend}.
  The children came running to the heap.
- They rolled three big balls.
  {She} and {Friend} began to build a snowman.
  They put one ball on top of the other.
  {Friend} made the body and {she} made the head.
- {She} gave it a carrot for a nose.
  It got coal for eyes and an old hat.
  {Friend} put {his} own hat on its head.
  Two buttons were its eyes, and a carrot was its nose.
- Then they went in and drank hot milk.
  When it grew dark they warmed their hands at the stove.
  It stood in front of the house until March.
  A week later the sun came, and it was only a puddle.

theatre; role: queen, ghost, clown, fairy, general
- The people of the town wanted to put on a play.
  {Friend} had written a play and was looking for actors.
  A paper on the wall said that actors were wanted, and {Name} read it.
  {Name} had always dreamed of being on the stage.
- {Name} asked for the part of the {role}.
  “I want to be the {role},” said {Name}.
  {Friend} gave {Name} the part of the {role}.
  {Name} read a few lines and got the role of the {role}.
- {She} learned the lines by heart.
  At home {she} spoke the words before the mirror.
  Every night {she} repeated {hers} lines in bed.
  {She} even spoke them to the cows.
- They rehearsed in a barn.
  Each Tuesday they met to rehearse.
  “Louder!” called {Friend} at the rehearsal.
  At the first rehearsal everything went wrong.
~ {She} sewed {hers} own costume.
  The dress was made of old curtains.
  {Friend} painted a castle on a sheet.
  The day before, {she} lost {hers} voice.
- Then the great evening came.
  On the evening of the play all seats were sold.
  The hall was full to the last row.
  People stood in line to get in.
- Behind the curtain {hers} knees shook.
  {She} peeped through the curtain and saw the crowd.
  {She} drank water and tried to breathe.
  “Are you ready?” whispered {Friend} behind the stage.
- The curtain rose.
  Slowly the curtain opened.
  The lights went out, and somebody pulled up the curtain.
  A drum was beaten, and the play began.
- {She} stepped into the light as the {role}.
  In the second scene the {role} came in.
  At first {she} stood there and had forgotten everything.
  {She} began to speak, and the people grew silent.
~ {Friend} whispered the next word to {her}.
  In the middle {hers} crown fell off.
  An old woman in the first row began to weep.
  Everyone laughed at the right place.
- At the end they clapped for ten minutes.
  The curtain fell, and the people shouted.
  When it was over they threw flowers.
  All the actors bowed, hand in hand.
- “You were wonderful,” said {Friend}.
  {She} went home with {hers} arms full of flowers.
  That night {she} could not sleep for joy.
  The next day the newspaper praised {her}.

ring; body: lake, pond, sea, moat
- {Name} wore a gold ring that had been {hers} mother's.
  {Friend} had given {Name} a gold ring.
  The ring of {Name} was a little too wide.
  {Name} sat in a boat and held {hers} hand in the water.
- When {she} washed {hers} hands, it slipped off.
  As {she} bent over the {body}, it fell from {hers} finger.
  A fish touched {hers} hand, and {she} pulled it back in fear.
  {She} waved to {Friend}, and the ring flew off.
- It sank to the bottom of the {body}.
  {She} saw it shine once, and then it was gone.
  There was a small splash.
  The ring fell into the {body}.
- {Name} began to weep.
  “My ring!” {she} cried.
  {She} reached for it, but it was too late.
  {She} stared into the dark water.
- “I will find it for you,” said {Friend}.
  {Friend} asked {her} where it had fallen.
  {Friend} came running when {he} heard {her}.
  {He} looked at {hers} tears and took off {his} shirt.
- {He} took a deep breath and dived in.
  {He} jumped into the cold {body}.
  Three times {he} dived to the bottom.
  With a net {he} searched the mud.
~ {He} came up with nothing but weeds.
  {He} found a boot, a bottle and a spoon.
  {She} begged {him} to stop.
  {His} lips were blue with cold.
- It was not to be found.
  In the evening they went home without it.
  They gave up when it got dark.
  “It is no use,” {she} said at last.
- A month later {she} bought a fish at the market.
  In autumn {he} caught a big fish.
  For the feast a fisherman brought them a pike.
  One Friday there was fish for dinner.
- {She} cut it open to clean it.
  {He} took a knife to open the fish.
  The cook called {her} into the kitchen.
  As they were eating, {she} bit on something hard.
- In its stomach lay the ring.
  Something shone inside the fish.
  “Is this not yours?” asked the cook.
  It was the ring, and it still shone.
- Since then {she} has never taken it off.
  {She} put it on and laughed and wept.
  {She} kissed the ring and gave the fish to the cat.
  {He} had it made narrower for {her}.

horse; beast: horse, donkey, ox, mule; price: ten, twenty, thirty, forty
- {Name} needed money and had to sell the {beast}.
  After the bad harvest {Name} could not feed the {beast} any longer.
  {Name} led the old {beast} out of the stable.
  “We must sell the {beast},” said {Name}.
- {She} brushed it until it shone.
  {She} washed it and tied a ribbon to its tail.
  Before they left {she} gave it the last oats.
  It ate from {hers} hand and did not know anything.
- On Monday {she} led it to the fair.
  They walked four hours to the fair.
  Early in the day they were at the cattle market.
  At the fair {she} tied it to a post.
- Many people looked, but nobody bought it.
  A man laughed at its thin legs.
  One offered five coins, and {she} shook {hers} head.
  For a long time nobody stopped.
- Then {Friend} came and looked into its mouth.
  {Friend} walked around the {beast} twice.
  {Friend} lifted its feet one after the other.
  “How old is it?” asked {Friend}.
- “It is eight years old and has never been ill,” {she} said.
  {She} praised its strength.
  {She} told {him} that it could pull two carts.
  “It is young and strong,” {she} answered.
- {He} offered {price} coins.
  “I give you {price} coins,” {he} said.
  {He} asked what {she} wanted for it, and {she} said {price}.
  {He} took {price} coins out of {his} bag.
~ “That is too little,” {she} said.
  {She} thought of the long winter.
  {He} turned as if to go.
  They talked about it for an hour.
- In the end they shook hands on it.
  “It is a bargain,” {she} said.
  {She} gave {him} {hers} hand.
  {He} spat into {his} hand and held it out.
- {He} counted the money into {hers} apron.
  {She} took the money and gave {him} the rope.
  The coins changed hands.
  {He} paid and untied the {beast}.
- The {beast} looked back at {her}.
  {She} laid {hers} face against its neck once more.
  As {he} led it away, it turned its head.
  It did not want to go with {him}.
- On the way home {she} was alone and wept.
  {She} went home with a full purse and a heavy heart.
  A week later it stood before {hers} door again.
  With the money {she} bought flour for the winter.

honey; place: hollow tree, old wall, garden, chimney
- One day a swarm of bees came to the {place} of {Name}.
  {Name} saw bees going in and out of the {place}.
  There was a humming in the {place} near the house of {Name}.
  A cloud of bees hung in the {place}, and {Name} ran to see it.
- “Where there are bees there is honey,” said {Name}.
  {She} watched them for an hour.
  {She} counted how many of them flew out.
  {She} told {Friend} what {she} had seen.
- {She} covered {hers} face with a veil.
  {She} put on gloves and a hat with a net.
  “You must cover your face,” said {Friend}.
  {Friend} lent {her} a thick coat and gloves.
- Then {she} lit some wet straw.
  {She} made smoke to calm them.
  {He} blew smoke at them.
  The smoke made them sleepy.
- Carefully {she} put in {hers} hand.
  {She} cut out a comb with a long knife.
  Slowly {she} reached inside.
  {She} broke off a piece of the comb.
~ One bee got under the veil and stung {her}.
  “Ow!” cried {Friend} and ran away.
  A bee stung {him} on the nose.
  The bees became angry and came after them.
- The comb was full of golden honey.
  Honey ran over {hers} fingers.
  It was heavy and dripped with honey.
  {She} licked {hers} fingers, and it was sweet.
- At home {she} pressed it through a cloth.
  {She} let it run into a bowl overnight.
  They warmed the comb so that it melted.
  {She} turned it in a drum until all was out.
- It filled seven jars.
  {She} poured it into jars and closed them.
  By evening there was a row of jars on the shelf.
  {She} wrote the year on each jar.
- In winter they ate it on bread.
  {She} gave one jar to each neighbour.
  {Friend} finished a jar all by himself.
  When somebody had a cough, {she} brought a jar.

clock; time: tower clock, kitchen clock, grandfather clock, station clock
- The {time} had stopped at five past three.
  One morning the {time} was silent.
  {Name} noticed that the {time} did not tick any more.
  “What time is it?” asked {Friend}, but the {time} was not going.
- Nobody knew when to eat and when to sleep.
  Everyone came too late that day.
  {Friend} shook it, but it did not help.
  {Friend} wound it up, and nothing moved.
- {Name} said that {she} could look at it.
  “Let me try,” said {Name}.
  So they asked {Name}, who was good with machines.
  They sent for {Name}, the clockmaker.
- {She} opened the back with a small screwdriver.
  {She} climbed up with {hers} tools.
  First {she} took off the hands and the face.
  {She} unscrewed the lid and held up a lamp.
- There were a hundred little wheels inside.
  Dust lay on all the wheels.
  {She} bent over the wheels with a magnifying glass.
  The wheels were black with old oil.
- {She} took out one wheel after the other.
  {She} laid all the parts on a white cloth.
  {She} cleaned each part with a brush.
  Piece by piece {she} took it apart.
~ “Will you ever get it together again?” asked {Friend}.
  A screw rolled under the cupboard.
  {Friend} sneezed, and three springs flew off.
  {She} did not eat and did not drink.
- Then {she} found what was wrong.
  One tooth was broken.
  A dead spider was caught between two wheels.
  “Here it is,” {she} said at last.
- {She} filed a new piece of brass.
  {She} put in a new spring.
  With a pair of tweezers {she} set it right.
  {She} removed it and put in a drop of oil.
- After that {she} put everything back.
  {She} screwed the lid on again.
  {She} put the hands back in their place.
  By evening all parts were in again.
- {She} gave the pendulum a push.
  {She} wound it up and listened.
  {She} held {hers} breath and touched the wheel.
  “Now,” {she} said and let go.
- Tick, tock, it went.
  It began to tick.
  At once the wheels turned.
  It struck twelve, and everybody cheered.

moving; new: flat, cottage, tower, house by the sea
- The house had become too small for {Name} and {Friend}.
  {Name} found work in another town.
  “Let us move,” said {Name} to {Friend}.
  {Name} and {Friend} had bought a {new}.
- They began to pack.
  They put all the books into boxes.
  For days they wrapped plates in paper.
  {She} wrote on each box what was in it.
~ {He} could not part with anything.
  {Friend} found letters that {he} had lost long ago.
  {She} gave the old sofa away.
  The cat hid in a box.
- On the first of May a cart stood at the door.
  Three strong men came to carry the boxes.
  Early in the morning the van arrived.
  Friends came to help them.
- They carried the wardrobe down the stairs.
  The piano got stuck in the stairs.
  Box after box went out.
  “Careful, that is glass!” {she} called.
- Then the rooms were empty, and their steps echoed.
  {She} went once more through the empty rooms.
  White spots on the walls showed where pictures had hung.
  At last nothing was left but a nail in the wall.
- {She} locked the door for the last time.
  {He} gave the keys to the landlord.
  The neighbours came to say goodbye.
  They looked back until they turned the corner.
- They drove for half a day.
  On the road {she} held the cat in {hers} lap.
  The cart was so full that {he} had to walk.
  It was a long way to the {new}.
- In the afternoon they saw the {new}.
  “There it is!” {she} said.
  They stopped in front of the {new}.
  {He} carried {her} into the {new}.
- The men put the boxes in the middle of the room.
  Everything had to be carried up again.
  “Where do you want the bed?” {he} asked.
  They did not find the spoons and ate with their fingers.
- They hung up the first picture.
  By night only the bed was ready.
  {She} lit a candle on a box.
  They opened the windows and smelled the new air.
- The first night they hardly slept.
  The next day a neighbour brought bread and salt.
  Soon it was their home.
  The cat sat on the stove as if it had always been there.

apples; tree: apple, cherry, walnut, pear
- In the garden of {Name} stood an old {tree} tree.
  {Name} had {a tree} tree that was older than the house.
  The {tree} tree of {Name} had not borne fruit for years.
  In spring the {tree} tree of {Name} was white with blossom.
- “This year there will be a good harvest,” said {Friend}.
  The branches hung down, so full were they.
  By September the fruit was ripe.
  {Friend} pressed one with {his} thumb and said it was time.
- {She} brought the long ladder and two baskets.
  They took baskets and a ladder.
  {Friend} leaned a ladder against the trunk.
  They spread a cloth under the tree.
- {She} climbed up, and {he} stayed below.
  {She} went up to the highest branches.
  {Name} stood on the ladder and picked.
  {Friend} shook the tree, and it rained down.
~ A branch cracked under {hers} foot.
  One fell on {his} head.
  {He} ate more than {he} put into the basket.
  “Do not throw them!” {he} cried.
- Soon the first basket was full.
  By noon they had four baskets.
  {She} handed down one basket after the other.
  They had to fetch a cart for it all.
- They carried the harvest into the cellar.
  In the kitchen they sorted the good ones from the bad.
  {She} laid the best ones on straw.
  They rolled the cart home together.
- From the rest {she} made jam.
  They pressed juice from the bruised ones.
  {She} cut them up and dried them on a string.
  “What shall we do with so many?” {he} asked.
- In winter the cellar smelled sweet.
  At Christmas they still ate of them.
  The birds got the last ones on the tree.
  They sold a sack of them and bought a new ladder.
"""
