/* The address of the page as it stands now, steps and selected cells included, with a button that copies it. */

import { hold } from "../shared/address.js";
import { translated } from "../shared/labels.js";

const LONG = 8000; // characters; what carries a link further, a mail or a chat, may cut a longer one

const timers = new WeakMap(); // root -> the clock that looks at the address

export default function draw({ parentElement }) {
  const root = parentElement;
  let box = root.querySelector(".link");
  if (!box) {
    box = document.createElement("div");
    box.className = "link";
    const address = document.createElement("code");
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = translated("Copy the link");
    copy.onclick = async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        copy.textContent = translated("Copied");
      } catch {
        getSelection()?.selectAllChildren(address); // no leave to write: the learner copies what is marked
        copy.textContent = translated("Marked: copy it now");
      }
      setTimeout(() => (copy.textContent = translated("Copy the link")), 2000);
    };
    const note = document.createElement("p");
    note.setAttribute("role", "status");
    box.append(address, copy, note);
    root.append(box);
  }
  const show = () => {
    hold();
    const { length } = location.href;
    box.firstChild.textContent = location.href;
    box.lastChild.textContent =
      length > LONG
        ? translated("This link has {n} characters, for it carries a long text. A mail or a chat may cut it: then send the text beside it.", { n: length.toLocaleString("en") })
        : "";
  };
  clearInterval(timers.get(root));
  timers.set(root, setInterval(show, 300));
  show();
  return () => clearInterval(timers.get(root));
}
