import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Says a sentence to screen readers, after what they are saying now. */
export function announce(sentence: string): void {
  // The same words twice are a change only if something differs.
  text = sentence === text ? `${sentence}\u00a0` : sentence;
  for (const listener of listeners) listener();
}

/** Stands once, at the page's root. */
export function Announcer() {
  const sentence = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => text,
  );
  return (
    <p className="sr" aria-live="polite" aria-atomic="true" data-testid="announcer">
      {sentence}
    </p>
  );
}
