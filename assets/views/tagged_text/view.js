// Tagged text: each word with its tag below it; unseen words are underlined. A click, or Enter, chooses a word.

export default function ({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".tagged-text");
  if (!root) {
    root = document.createElement("div");
    root.className = "tagged-text";
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Tagged text. Left and right arrow move, Enter chooses a word.");
    parentElement.append(root);
  }
  const words = data.sentences.flatMap((sentence) => sentence);
  let place = 0;
  root.replaceChildren(
    ...data.sentences.map((sentence) => {
      const line = document.createElement("p");
      line.replaceChildren(...sentence.map((word) => wordButton(word, place++, data, setStateValue)));
      return line;
    }),
  );
  const buttons = [...root.querySelectorAll("button")];
  const reachable = buttons[Math.min(Math.max(data.chosen, 0), buttons.length - 1)];
  if (reachable) reachable.tabIndex = 0; // one stop for the Tab key; arrows go on from there
  root.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(event.target);
    if (!step || at < 0 || !buttons[at + step]) return;
    event.preventDefault();
    buttons[at].tabIndex = -1;
    buttons[at + step].tabIndex = 0;
    buttons[at + step].focus();
  };
  root.setAttribute("data-words", words.length);
}

function wordButton(word, place, data, setStateValue) {
  const button = document.createElement("button");
  button.type = "button";
  button.tabIndex = -1;
  button.className = place === data.chosen ? "chosen" : "";
  if (word.unseen) button.classList.add("unseen");
  if (word.differs) button.classList.add("differs");
  button.setAttribute("aria-pressed", String(place === data.chosen));
  button.title = [word.unseen && "never seen in training", word.differs && `otherwise tagged ${word.differs}`]
    .filter(Boolean)
    .join("; ");
  const text = document.createElement("span");
  text.className = "word";
  text.textContent = word.word;
  const tag = document.createElement("span");
  tag.className = "tag";
  tag.textContent = word.tag;
  tag.style.setProperty("--tag", data.colours[word.tag] || "#7A7A7A");
  button.append(text, tag);
  button.onclick = () => setStateValue("chosen", place);
  return button;
}
