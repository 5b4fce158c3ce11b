import { useEffect, useEffectEvent } from 'react';

const TYPING = 'input, textarea, select, [contenteditable]';

/** Calls `onPress` when the letter is pressed without a modifier, outside of fields and dialogs. Null turns it off. */
export function useKey(letter: string, onPress: (() => void) | null): void {
  const press = useEffectEvent(() => onPress?.());
  const isOn = onPress !== null;
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
