import { createStore, useStore } from '../store.js';

const sentence = createStore('');

/** Makes screen readers say a sentence after the one they are saying now. */
export function announce(text: string): void {
  // The same text again must differ in something, or screen readers stay silent.
  sentence.set(text === sentence.get() ? `${text}\u00a0` : text);
}

export function Announcer() {
  const text = useStore(sentence);
  return (
    <p className="sr" aria-live="polite" aria-atomic="true" data-testid="announcer">
      {text}
    </p>
  );
}
