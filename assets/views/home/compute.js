/* The search over lessons: by title, by other names, by question. It needs no server. */

const TITLE = 1.4; // how much more a match of the title counts: a word of it more than a whole other name
const ARTICLE = /^(?:a|an|the) (?=.)/;
const SHORTEST_INSIDE = 3; // letters that are looked for inside a word; fewer must begin one

/**
 * Return words in lower case, without accents, without an article before them, with one space between them.
 * @param {string} text
 * @returns {string}
 */
export function plainWords(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}√]+/gu, " ").trim().replace(ARTICLE, "");
}

/**
 * How well a text answers what is looked for: 0 is not at all, 100 is the same words.
 * @param {string} text
 * @param {string} sought plain words
 * @returns {number}
 */
export function matchOf(text, sought) {
  const words = plainWords(text);
  if (words === sought) return 100;
  if (words.startsWith(`${sought} `)) return 85;
  if (` ${words} `.includes(` ${sought} `)) return 75;
  if (words.startsWith(sought)) return 70;
  if (` ${words}`.includes(` ${sought}`)) return 60;
  const [joined, soughtJoined] = [words, sought].map((each) => each.replaceAll(" ", ""));
  if (joined.startsWith(soughtJoined)) return 50; // “ngram” finds “n-gram”
  const every = sought.split(" ");
  if (every.length > 1 && every.every((each) => ` ${words}`.includes(` ${each}`))) return 40;
  return soughtJoined.length >= SHORTEST_INSIDE && joined.includes(soughtJoined) ? 20 : 0;
}

/**
 * The lessons that answer a query, the best first, lessons that answer it equally well in the course's order.
 * @template {{ title: string, question: string, names: string[] }} L
 * @param {L[]} lessons
 * @param {string} query
 * @returns {{ lesson: L, name: string }[]} each with the other name that was found, "" where its own words were
 */
export function findLessons(lessons, query) {
  const sought = plainWords(query);
  if (!sought) return [];
  const found = lessons.map((lesson) => {
    const named = lesson.names.map((name, i) => ({ name, score: matchOf(name, sought) * (1 - i / 100) })); // the first are the closest
    const best = named.reduce((one, other) => (other.score > one.score ? other : one), { name: "", score: 0 });
    const title = matchOf(lesson.title, sought) * TITLE;
    const question = matchOf(lesson.question, sought) / 2;
    const all = matchOf([lesson.title, ...lesson.names, lesson.question].join(" "), sought) / 4; // words of several
    const own = Math.max(title, question);
    return { lesson, name: best.score > own ? best.name : "", score: Math.max(best.score, own, all) };
  });
  const kept = found.filter(({ score }) => score > 0);
  return kept.sort((one, other) => other.score - one.score).map(({ lesson, name }) => ({ lesson, name }));
}
