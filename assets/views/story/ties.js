/* Words tied to marks: pointing at either lights the other. A word's data-tie is the beginning of a mark's data-mark. */

const LIT = "lit";

export function tieWords(state) {
  for (const word of state.words.querySelectorAll("[data-tie]")) {
    const light = (on) => () => lightMarks(state, word.dataset.tie, on);
    word.onpointerenter = word.onfocus = light(true);
    word.onpointerleave = word.onblur = light(false);
  }
}

function lightMarks(state, tie, on) {
  state.picture?.shadow?.querySelectorAll("[data-mark]").forEach((mark) => {
    const tied = mark.dataset.mark === tie || mark.dataset.mark.startsWith(`${tie}.`);
    mark.classList.toggle(LIT, on && tied);
  });
}

/** Let the picture's marks light their words. */
export function tieMarks(state, shadow) {
  const light = (on) => (event) => {
    const mark = event.composedPath().find((each) => each.dataset?.mark)?.dataset.mark;
    if (!mark) return;
    for (const word of state.words.querySelectorAll("[data-tie]")) {
      if (mark === word.dataset.tie || mark.startsWith(`${word.dataset.tie}.`)) word.classList.toggle(LIT, on);
    }
  };
  shadow.addEventListener("pointerover", light(true));
  shadow.addEventListener("pointerout", light(false));
}
