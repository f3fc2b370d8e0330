/* A story's documents, as the server answers them below a path. */

/** @param {string} address @param {any} [asked] what is sent, { changes, event, value } */
export async function askServer(address, asked) {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) };
  const answer = await fetch(address, asked ? posted : {});
  if (!answer.ok) throw Object.assign(new Error(`The server answered ${answer.status}.`), { status: answer.status });
  return answer;
}

/** Where a beat is: with `ending` "json" its document, with "html" the beat as one file. */
export const beatAddress = (base, lesson, { number, revealed }, ending) => `${base}/beats/${lesson}/${number}${revealed ? ".answer" : ""}.${ending}`;

/** A beat's document: as its author set it, or with `changes` where there are any. */
export async function fetchBeat(base, lesson, place, changes) {
  const asked = Object.keys(changes).length ? { changes } : undefined;
  return (await askServer(beatAddress(base, lesson, place, "json"), asked)).json();
}

/** What a player needs of a lesson's story, fetched once. */
export async function fetchStory({ stories, base }, lesson) {
  if (!stories.has(lesson)) stories.set(lesson, await (await askServer(`${base}/stories/${lesson}.json`)).json());
  return stories.get(lesson);
}
