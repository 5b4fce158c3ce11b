import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { fetchedOnce } from '../fetched-once.js';
import type { DialogProps } from './dialog-sheet.js';
import { toastProblem } from './toasts.js';

const sheet = fetchedOnce(() => import('./dialog-sheet.js'));

/** Fetches the code of the dialogs before the first one opens. A failure is retried when a dialog opens. */
export function preloadDialogs(): void {
  sheet.fetch().catch(() => undefined);
}

/** A dialog. Its code is not part of the first load; a toast says when it cannot be fetched. */
export function Dialog(props: DialogProps) {
  const { open = true, onClose } = props;
  // A dialog that was open stays rendered, so that it can return the focus.
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  const [, setFetched] = useState(sheet.get() !== null);
  const isMissing = open && sheet.get() === null;
  const fail = useEffectEvent(() => {
    toastProblem('This dialog could not be opened', 'Check your connection and try again.');
    onClose();
  });
  useEffect(() => {
    if (!isMissing) return;
    sheet.fetch().then(
      () => setFetched(true),
      () => fail(),
    );
  }, [isMissing]);
  const DialogSheet = sheet.get()?.DialogSheet;
  return wasOpened && DialogSheet ? <DialogSheet {...props} /> : null;
}

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
