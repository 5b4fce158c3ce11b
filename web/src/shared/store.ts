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

/** The text that this browser stores under a name, for good or for its session; null without one, and while storage is blocked. */
export function storedText(name: string, lasts: 'local' | 'session' = 'local'): string | null {
  try {
    return storage(lasts).getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it. Does nothing while storage is blocked or full. */
export function storeText(name: string, text: string | null, lasts: 'local' | 'session' = 'local'): void {
  try {
    if (text === null) storage(lasts).removeItem(name);
    else storage(lasts).setItem(name, text);
  } catch {
    // The page works without its storage.
  }
}

const storage = (lasts: 'local' | 'session'): Storage => (lasts === 'local' ? localStorage : sessionStorage);

/** A text that this browser remembers. While storage is blocked, it lasts until the page is reloaded. */
export function createStoredText(name: string, lasts: 'local' | 'session' = 'local') {
  const text = createStore(storedText(name, lasts));
  const set = (next: string | null): void => {
    storeText(name, next, lasts);
    text.set(next);
  };
  return { ...text, set };
}
