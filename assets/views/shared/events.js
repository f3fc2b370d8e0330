/* A stream of events from the server, read with fetch: unlike EventSource it can send a header. */

const SILENT = 35_000; // milliseconds without a word, after which the connection is dead: the server speaks every 15 s

/**
 * Read a stream to its end, and give each event's data to `take`. Throws what fetch throws, and { status } where it is refused.
 * @param {string} address
 * @param {{ headers: Record<string, string>, signal: AbortSignal }} options
 * @param {(data: any) => void} take
 */
export async function readEvents(address, options, take) {
  const answer = await fetch(address, options);
  if (!answer.ok || !answer.body) throw Object.assign(new Error(`The server answered ${answer.status}.`), { status: answer.status });
  const reader = answer.body.pipeThrough(new globalThis.TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const waiting = setTimeout(() => reader.cancel(), SILENT); // ends the loop
    const { value, done } = await reader.read().finally(() => clearTimeout(waiting));
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop() ?? "";
    for (const each of events) if (each.startsWith("data: ")) take(JSON.parse(each.slice(6)));
  }
}
