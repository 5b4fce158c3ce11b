import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';

interface DialogButtonProps {
  text: string;
  className: string;
  title: string;
  disabled?: boolean;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, className, title, disabled, children }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className={className} disabled={disabled} onClick={() => setOpen(true)}>
        {text}
      </button>
      <Dialog open={open} onClose={close} title={title}>
        {children(close)}
      </Dialog>
    </>
  );
}
