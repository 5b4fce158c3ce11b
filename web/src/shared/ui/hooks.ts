import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createStoredSwitch, useStore } from '../store.js';

/** State of a menu or panel that a button opens. Escape, a press outside and losing the focus close it. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const closeFrom = (event: PointerEvent | FocusEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', closeFrom);
    document.addEventListener('focusin', closeFrom);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeFrom);
      document.removeEventListener('focusin', closeFrom);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [open]);
  return { open, setOpen, root, button };
}

const TYPING = 'input, textarea, select, [contenteditable]';

/** Whether the letter B buys: a shortcut of one letter can be turned off (WCAG 2.1.4). */
export const letterKeys = createStoredSwitch('omni.letter-keys', true);

/** Calls `onPress` when the letter is pressed without a modifier, outside of fields and dialogs. Null turns it off, and so does the gamer's switch. */
export function useKey(letter: string, onPress: (() => void) | null): void {
  const press = useEffectEvent(() => onPress?.());
  const isOn = useStore(letterKeys) && onPress !== null;
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== letter || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      if (document.querySelector('[role=dialog], [role=alertdialog]') !== null) return;
      event.preventDefault();
      press();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [letter, isOn]);
}

const TYPING_PAUSE_MS = 300;

/** The value once it has not changed for `afterMs`, so that typing or sliding does not send a request per change. */
export function useSettled<Value>(value: Value, afterMs = TYPING_PAUSE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
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
