import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Escape, pressed inside the element, belongs to it. Radix gives the key to the layer that was opened last, and a toast
 * is one: with a toast over a dialog the first press would only dismiss the toast.
 */
export function useEscape(active: boolean, onEscape: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const press = useEffectEvent(onEscape);
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      if (!(event.target instanceof Node) || !element.current?.contains(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      press();
    };
    // Before the document's listeners, where the layers wait.
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, [active]);
  return element;
}
