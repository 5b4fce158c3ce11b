import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useEscape } from '../../shared/ui/use-escape.js';
import { useReturnFocus } from '../../shared/ui/use-return-focus.js';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, in words. */
  what: string;
  /** Fields that go with it. */
  children?: ReactNode;
  keep: string;
  confirm: string;
  busy: string;
  isBusy: boolean;
  /** Red when it cannot be undone and takes something away. */
  tone: 'act' | 'final';
  isReady?: boolean;
  onConfirm: () => void;
}

/** Asks before something is done for good. The safe button has the first focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, what, children, keep, confirm, busy, isBusy, tone, isReady = true } = props;
  const returnFocus = useReturnFocus();
  const content = useEscape(open, () => !isBusy && onOpenChange(false));
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !isBusy && onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="scrim scrim--over" />
        <AlertDialog.Content ref={content} className="dialog" {...returnFocus}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className="whitespace-pre-line">{what}</AlertDialog.Description>
          <form
            className="grid gap-4"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (isReady && !isBusy) props.onConfirm();
            }}
          >
            {children}
            <div className="actions">
              <AlertDialog.Cancel type="button" className="btn btn--line" disabled={isBusy}>
                {keep}
              </AlertDialog.Cancel>
              <button type="submit" className={`btn btn--${tone}`} disabled={isBusy || !isReady}>
                {isBusy ? busy : confirm}
              </button>
            </div>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
