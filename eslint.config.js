import js from "@eslint/js";

const browser = [
  "document", "window", "location", "history", "navigator", "getComputedStyle", "getSelection", "setInterval", "clearInterval",
  "setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame", "ResizeObserver", "MutationObserver",
  "URL", "URLSearchParams", "Blob", "XMLSerializer", "CSS", "atob", "performance", "CustomEvent", "localStorage", "sessionStorage", "fetch", "HTMLTextAreaElement", "DOMParser", "matchMedia", "structuredClone", "Image", "console", "devicePixelRatio",
  "Element", "HTMLElement", "HTMLButtonElement", "Event", "PopStateEvent", "BroadcastChannel",
];

export default [
  js.configs.recommended,
  {
    files: ["assets/views/**/*.js", "assets/site/*.js", "tests/views/**/*.js", "tests/descriptions/*.js"],
    languageOptions: { globals: Object.fromEntries([...browser, "process"].map((name) => [name, "readonly"])) },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-restricted-properties": ["error",
      { property: "innerHTML", message: "A learner's words are text, never markup: use textContent." },
      { property: "outerHTML", message: "A learner's words are text, never markup." },
      { property: "insertAdjacentHTML", message: "A learner's words are text, never markup." }] },
  },
];
