import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';

interface DialogButtonProps {
  text: string;
  className: string;
  title: string;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, className, title, children }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        {text}
      </button>
      <Dialog open={open} onClose={close} title={title}>
        {children(close)}
      </Dialog>
    </>
  );
}
