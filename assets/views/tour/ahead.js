/* What is fetched ahead of the next beat. */

/** Fetch and compile, while the browser is idle, the code that the next beat's lesson draws with. */
export function prepare(addresses) {
  const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 500));
  idle(() => {
    for (const address of addresses) {
      if (document.querySelector(`link[rel="modulepreload"][href="${CSS.escape(address)}"]`)) continue;
      const link = document.createElement("link");
      Object.assign(link, { rel: "modulepreload", href: address });
      document.head.append(link);
    }
  });
}
