import { useRef } from 'react';

/** What had the focus before the first of several dialogs: one that opened from another outlives its opener. */
let lastOutside: HTMLElement | null = null;

/** For dialogs that are opened by state, not by a trigger of their own: focus returns to where it was. */
export function useReturnFocus() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      const active = document.activeElement;
      opener.current = active instanceof HTMLElement ? active : null;
      if (opener.current && !opener.current.closest('[role="dialog"], [role="alertdialog"]'))
        lastOutside = opener.current;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current?.isConnected) opener.current.focus();
      else lastOutside?.focus();
    },
  };
}
