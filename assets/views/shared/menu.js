/* The menu beside the page shows the lessons of one subject: that of the present lesson, or the one whose title was pressed.

   Streamlit draws a title and its links, and its own folding would take the links out of the page, where a card of the home
   page and the tests press them. So a press on a title is caught before Streamlit hears it, and the rules in course.css
   hide the links. */

const TITLE = '[data-testid="stNavSectionHeader"]';
const KEPT = "stSidebarSectionsState"; // Streamlit's own name, in this browser, for what is folded its way

/** @param {Element} title @returns {boolean} whether its lessons are shown */
function isOpen(title) {
  const nav = title.closest("nav");
  const section = title.parentElement;
  return nav?.hasAttribute("data-chosen") ? Boolean(section?.hasAttribute("data-open")) : Boolean(section?.querySelector("[aria-current]"));
}

/** Open a subject and close the others, or close it. */
function toggle(title) {
  const open = !isOpen(title);
  const nav = title.closest("nav");
  nav?.querySelectorAll("[data-open]").forEach((each) => each.removeAttribute("data-open"));
  nav?.setAttribute("data-chosen", "");
  title.parentElement?.toggleAttribute("data-open", open);
  say();
  if (open) title.parentElement?.scrollIntoView({ block: "nearest" });
}

/** Say of each title what it does, to a keyboard and to who hears the page. */
function say() {
  for (const title of document.querySelectorAll(TITLE)) {
    const words = title.firstElementChild; // a header may not be a button, its words may
    if (!words) continue;
    if (!words.hasAttribute("tabindex")) {
      words.setAttribute("role", "button");
      words.setAttribute("tabindex", "0");
    }
    const open = String(isOpen(title));
    if (words.getAttribute("aria-expanded") !== open) words.setAttribute("aria-expanded", open);
  }
}

/** What was pressed holds until another lesson is opened. */
function watch() {
  let present = "";
  let waits = false;
  const look = () => {
    waits = false;
    const nav = document.querySelector('[data-testid="stSidebarNav"]');
    const link = nav?.querySelector("[aria-current]");
    const now = link?.getAttribute("href") ?? "";
    if (nav && now !== present) {
      nav.removeAttribute("data-chosen");
      link?.scrollIntoView({ block: "nearest" });
    }
    present = now;
    say();
  };
  const changed = () => {
    if (!waits) requestAnimationFrame(look);
    waits = true;
  };
  new MutationObserver(changed).observe(document, { childList: true, subtree: true, attributeFilter: ["aria-current"] });
}

export function installMenu() {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(KEPT)) localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing has nothing folded.
  }
  const titleOf = (event) => (event.target instanceof Element ? event.target.closest(TITLE) : null);
  const press = (event) => {
    const title = titleOf(event);
    if (!title) return;
    event.stopPropagation();
    event.preventDefault();
    toggle(title);
  };
  window.addEventListener("click", press, true);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") press(event);
  }, true);
  watch();
}
