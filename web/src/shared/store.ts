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
