/* The language in which the course is read. The server chooses it: as the address asks, as the cookie keeps, as the browser accepts. */

const COOKIE = "attend_lang";
const YEAR = 31_536_000; // seconds

/**
 * Keep the language that the address asks for; until the browser is closed, keep the one in which the server answered this page.
 * So whatever the page asks for later comes in the same language, its WebSocket's answers too.
 */
export function keepLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked && /^[a-z]{2}$/.test(asked)) document.cookie = `${COOKIE}=${asked}; path=/; max-age=${YEAR}; samesite=lax`;
  else if (!document.cookie.includes(`${COOKIE}=`)) document.cookie = `${COOKIE}=${document.documentElement.lang}; path=/; samesite=lax`;
}

/** Let the menu's links with a language load the page again as it stands, in that language. */
export function installLanguages() {
  document.addEventListener("click", (event) => {
    const [target] = event.composedPath(); // it may stand in a view's shadow root
    const link = target instanceof Element ? target.closest("a[hreflang]") : null;
    if (!link) return;
    event.preventDefault();
    const address = new URL(location.href);
    address.searchParams.set("lang", link.getAttribute("hreflang") ?? "en");
    location.assign(address);
  });
}
