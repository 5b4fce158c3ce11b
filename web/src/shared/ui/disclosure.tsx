import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface DisclosureProps {
  className: string;
  button: ComponentProps<'button'>;
  panel: ComponentProps<'div'>;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a menu or panel. Escape, a press outside and losing the focus close it. */
export function Disclosure({ className, button, panel, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    const closeFrom = (event: PointerEvent | FocusEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      root.current?.querySelector('button')?.focus();
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('pointerdown', closeFrom, { signal });
    document.addEventListener('focusin', closeFrom, { signal });
    document.addEventListener('keydown', closeByKey, { signal });
    return () => listening.abort();
  }, [open]);
  return (
    <div ref={root} className={className}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} {...button} />
      {open && (
        <div id={id} {...panel}>
          {children(() => setOpen(false))}
        </div>
      )}
    </div>
  );
}
