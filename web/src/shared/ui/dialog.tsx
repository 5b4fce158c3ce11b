import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Button, type ButtonProps } from './controls.js';
import type { DialogProps } from './dialog-sheet.js';
import { lazyPart } from './lazy.js';
import { toastProblem } from './toasts.js';

const fetchSheet = () => import('./dialog-sheet.js');
const DialogSheet = lazyPart(fetchSheet, null, DialogFailure);

export function preloadDialogs(): void {
  fetchSheet().catch(() => undefined);
}

/** A dialog. Its code is not part of the first load; a toast says when it cannot be fetched. */
export function Dialog(props: DialogProps) {
  const { open = true } = props;
  // A dialog that was open stays rendered, so that it can return the focus.
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  return wasOpened && <DialogSheet {...props} onFailure={() => setWasOpened(false)} />;
}

function DialogFailure({ onClose, onFailure }: DialogProps) {
  const fail = useEffectEvent(() => {
    toastProblem('This dialog could not be opened', 'Check your connection and try again.');
    onFailure?.();
    onClose();
  });
  useEffect(() => fail(), []);
  return null;
}

type DialogButtonProps = ButtonProps & { title: string; children: (close: () => void) => ReactNode };

export function DialogButton({ title, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      <Dialog open={open} onClose={close} title={title}>
        {children(close)}
      </Dialog>
    </>
  );
}
