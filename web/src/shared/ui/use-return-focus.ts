import { useRef } from 'react';

/**
 * For dialogs that are opened by state, not by a trigger of their own: focus returns to where it was. What opened it may
 * be gone by then, such as the row of a list that was dealt with: its section takes the focus, where it can.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  const section = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
      section.current = document.activeElement?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
      else section.current?.focus({ preventScroll: true });
    },
  };
}
