/* One view, drawn anew whenever its data change, and taken down when the page no longer shows it. */

const mounted = new WeakMap(); // the parent that Streamlit gives -> the view's state

/**
 * Return the state of the view in `parent`, built by `build(root)` the first time. The state has `root`, and after
 * each call the newest `data` and `report(event, value)`, which tells the page what the learner committed to.
 * @param {{ data: any, parentElement: any, setTriggerValue: (event: string, value: any) => void }} component
 * @param {string} className
 * @param {(root: HTMLElement) => object} build
 * @returns {any}
 */
export function mount({ data, parentElement, setTriggerValue }, className, build) {
  let state = mounted.get(parentElement);
  if (!state) {
    const root = document.createElement("div");
    root.className = className;
    parentElement.append(root);
    state = Object.assign(build(root), { root }); // the same object: its handlers hold it
    mounted.set(parentElement, state);
  }
  state.data = data;
  state.report = setTriggerValue;
  return state;
}

/**
 * What a view returns to Streamlit: how it is taken down.
 * @param {any} parent
 * @returns {() => void}
 */
export function unmount(parent) {
  return () => {
    const state = mounted.get(parent);
    clearInterval(state?.timer);
    state?.root.remove();
    mounted.delete(parent);
  };
}
