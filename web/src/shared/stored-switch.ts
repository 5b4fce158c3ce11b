import { createStore } from './store.js';

/** A choice of this browser, on or off, which it remembers. While storage is blocked, a choice lasts until the page is reloaded. */
export function createStoredSwitch(name: string, initial: boolean) {
  const store = createStore(stored(name) ?? initial);
  const set = (on: boolean): void => {
    store.set(on);
    try {
      localStorage.setItem(name, on ? 'on' : 'off');
    } catch {
      // see above
    }
  };
  return { ...store, set };
}

function stored(name: string): boolean | null {
  try {
    const choice = localStorage.getItem(name);
    return choice === null ? null : choice !== 'off';
  } catch {
    return null;
  }
}
