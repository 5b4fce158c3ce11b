import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const TYPING_PAUSE_MS = 300;

/** The value once it has not changed for `afterMs`, so that typing or sliding does not send a request per change. */
export function useDebounced<Value>(value: Value, afterMs = TYPING_PAUSE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}

/** The value; while `isFrozen` is true, the last value from before. */
export function useFrozen<Value>(value: Value, isFrozen: boolean): Value {
  const [frozen, setFrozen] = useState(value);
  if (!isFrozen && frozen !== value) setFrozen(value);
  return isFrozen ? frozen : value;
}

/** The current width of an element's content, in CSS pixels; `fallback` until it is measured. */
export function useWidth(ref: RefObject<HTMLElement | null>, fallback: number): number {
  const [width, setWidth] = useState(fallback);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    // The observer also reports the first width: after layout, before the first paint, without forcing another layout.
    const observer = new ResizeObserver(([entry]) => flushSync(() => entry && setWidth(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** Makes Enter held down press no button and send no form again: a repeated key is not a new decision. Texts of several lines keep it. */
export function ignoreHeldEnter(): void {
  const listen = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
  };
  window.addEventListener('keydown', listen, { capture: true });
}
