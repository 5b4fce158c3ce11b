import { useEffect, useEffectEvent } from 'react';
import { useStore } from '../store.js';
import { createStoredSwitch } from '../stored-switch.js';

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
