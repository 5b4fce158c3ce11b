import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useEscape } from './use-escape.js';
import { useReturnFocus } from './use-return-focus.js';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  /** Stands over the title on phones, where the sheet hides what is behind it. */
  above?: ReactNode;
  /** For what has columns of its own. */
  wide?: boolean;
  children: ReactNode;
}

/** A sheet from below on phones, centred from 768 px. Focus is trapped; Escape closes; focus returns to where it was. */
export function Dialog({ open, onOpenChange, title, description, above, wide = false, children }: DialogProps) {
  const returnFocus = useReturnFocus();
  const content = useEscape(open, () => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          ref={content}
          className={wide ? 'dialog dialog--wide' : 'dialog'}
          {...returnFocus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          {above}
          <div className="dialog-head">
            <Radix.Title>{title}</Radix.Title>
            <Radix.Close className="x" aria-label="Close">
              <X size={18} aria-hidden="true" />
            </Radix.Close>
          </div>
          {description !== undefined && <Radix.Description className="t14 dim">{description}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
