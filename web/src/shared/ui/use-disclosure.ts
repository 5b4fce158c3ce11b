import { useEffect, useRef, useState } from 'react';

/** State of a menu or panel that a button opens. Escape, a press outside and losing the focus close it. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  /** The element around the button and the panel. */
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
