import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/** The elements that wait for Escape, the one on top last. */
const waiting: RefObject<HTMLElement | null>[] = [];

/**
 * Escape belongs to the dialog on top, wherever in it the focus is or was before a busy field let go of it. Radix gives
 * the key to the layer that was opened last, and a toast is one: with a toast over a dialog the first press would only
 * dismiss the toast. Focus that was moved into the toast is the toast's.
 */
export function useEscape(active: boolean, onEscape: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const press = useEffectEvent(onEscape);
  useEffect(() => {
    if (!active) return;
    waiting.push(element);
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || waiting.at(-1) !== element) return;
      const { target } = event;
      if (target !== document.body && !(target instanceof Node && element.current?.contains(target))) return;
      event.preventDefault();
      event.stopPropagation();
      press();
    };
    // Before the document's listeners, where the layers wait.
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      waiting.splice(waiting.indexOf(element), 1);
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, [active]);
  return element;
}
