"""The French words that the grammar says: each English noun, adjective and verb with its French forms."""

from __future__ import annotations

from core.text.grammar.forms_table import read_forms

# English: French, gender, and the plural where it is not the singular with an s.
NOUN_TABLE = """
king roi m; queen reine f; boy garçon m; girl fille f; man homme m; woman femme f; child enfant m; doctor médecin m
teacher professeur m; friend ami m; neighbour voisin m; mother mère f; father père m; brother frère m; sister sœur f
cat chat m; dog chien m; bird oiseau m oiseaux; horse cheval m chevaux; mouse souris f souris
apple pomme f; egg œuf m; cake gâteau m gâteaux; bread pain m; cheese fromage m; soup soupe f; water eau f; milk lait m
coffee café m; tea thé m; book livre m; letter lettre f; newspaper journal m journaux; song chanson f
coat manteau m manteaux; hat chapeau m chapeaux; shirt chemise f; car voiture f; bicycle vélo m; house maison f
garden jardin m; kitchen cuisine f; park parc m; forest forêt f; museum musée m; city ville f; bedroom chambre f
market marché m; school école f; station gare f; hospital hôpital m; door porte f; window fenêtre f; flower fleur f
key clé f; table table f; chair chaise f; bed lit m; tree arbre m
"""
# Masculine, feminine, their plurals; "before" when it stands before the noun, then its form before a vowel.
ADJECTIVE_TABLE = """
big grand grande grands grandes before; small petit petite petits petites before
old vieux vieille vieux vieilles before vieil; young jeune jeune jeunes jeunes before
new nouveau nouvelle nouveaux nouvelles before nouvel; beautiful beau belle beaux belles before bel
good bon bonne bons bonnes before; white blanc blanche blancs blanches; black noir noire noirs noires
red rouge rouge rouges rouges; blue bleu bleue bleus bleues; green vert verte verts vertes
expensive cher chère chers chères; warm chaud chaude chauds chaudes; cold froid froide froids froides
happy heureux heureuse heureux heureuses; tired fatigué fatiguée fatigués fatiguées
ill malade malade malades malades; sad triste triste tristes tristes; rich riche riche riches riches
dirty sale sale sales sales; strong fort forte forts fortes; famous célèbre célèbre célèbres célèbres
clever intelligent intelligente intelligents intelligentes; kind gentil gentille gentils gentilles before
"""
# Present for je, tu, il, nous, ils; infinitive; past participle.
VERB_TABLE = """
eat mange manges mange mangeons mangent manger mangé; drink bois bois boit buvons boivent boire bu
read lis lis lit lisons lisent lire lu; write écris écris écrit écrivons écrivent écrire écrit
buy achète achètes achète achetons achètent acheter acheté; sell vends vends vend vendons vendent vendre vendu
see vois vois voit voyons voient voir vu; find trouve trouves trouve trouvons trouvent trouver trouvé
take prends prends prend prenons prennent prendre pris; lose perds perds perd perdons perdent perdre perdu
wear porte portes porte portons portent porter porté; help aide aides aide aidons aident aider aidé
call appelle appelles appelle appelons appellent appeler appelé
invite invite invites invite invitons invitent inviter invité
open ouvre ouvres ouvre ouvrons ouvrent ouvrir ouvert; close ferme fermes ferme fermons ferment fermer fermé
clean nettoie nettoies nettoie nettoyons nettoient nettoyer nettoyé; wash lave laves lave lavons lavent laver lavé
hear entends entends entend entendons entendent entendre entendu; make fais fais fait faisons font faire fait
sing chante chantes chante chantons chantent chanter chanté; give donne donnes donne donnons donnent donner donné
send envoie envoies envoie envoyons envoient envoyer envoyé
bring apporte apportes apporte apportons apportent apporter apporté
sleep dors dors dort dormons dorment dormir dormi
work travaille travailles travaille travaillons travaillent travailler travaillé
play joue joues joue jouons jouent jouer joué; laugh ris ris rit rions rient rire ri
cry pleure pleures pleure pleurons pleurent pleurer pleuré
wait attends attends attend attendons attendent attendre attendu
run cours cours court courons courent courir couru; go vais vas va allons vont aller allé
arrive arrive arrives arrive arrivons arrivent arriver arrivé
come reviens reviens revient revenons reviennent revenir revenu; have ai as a avons ont avoir eu
be suis es est sommes sont être été; want veux veux veut voulons veulent vouloir voulu
can peux peux peut pouvons peuvent pouvoir pu; must dois dois doit devons doivent devoir dû
say dis dis dit disons disent dire dit; think pense penses pense pensons pensent penser pensé
know sais sais sait savons savent savoir su
"""
IMPERFECT_TABLE = """
have avais avais avait avions avaient; be étais étais était étions étaient
want voulais voulais voulait voulions voulaient; can pouvais pouvais pouvait pouvions pouvaient
"""


NOUNS, ADJECTIVES = read_forms(NOUN_TABLE), read_forms(ADJECTIVE_TABLE)
VERBS, IMPERFECT = read_forms(VERB_TABLE), read_forms(IMPERFECT_TABLE)
