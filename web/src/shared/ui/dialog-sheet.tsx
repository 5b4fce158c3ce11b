import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useDialogFocus } from './dialog-focus.js';

export interface DialogProps {
  open?: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  /** Shown above the title on phones, where the sheet hides the page. */
  above?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** A sheet from below on phones, centred from 768 px. Focus is trapped; Escape closes; focus returns to where it was. */
export function DialogSheet({ open = true, onClose, title, description, above, wide = false, children }: DialogProps) {
  const focus = useDialogFocus(open, onClose);
  return (
    <Radix.Root open={open} onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className={wide ? 'dialog dialog--wide' : 'dialog'}
          {...focus}
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
