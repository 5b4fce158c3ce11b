import { useSyncExternalStore } from 'react';

/** A value outside React that components and other code can subscribe to. `subscribe` returns the function that unsubscribes. */
export function createStore<Value>(initial: Value) {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value: Value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <Value>({ subscribe, get }: ReturnType<typeof createStore<Value>>): Value =>
  useSyncExternalStore(subscribe, get, get);

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
