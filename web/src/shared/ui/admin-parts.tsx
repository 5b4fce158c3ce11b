import { Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Power } from '../../../../contracts/ids.js';
import { ADMIN_NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from '../../../../contracts/limits.js';
import { numberText } from '../format.js';
import { useSession } from '../session.queries.js';
import { Button, Field, type FieldProps, Form, Submit } from './controls.js';
import DialogSheet from './dialog-sheet.js';
import { Notice } from './notice.js';
import { copyText } from './toasts.js';

/** Whether the session is the admin's, or that of an operator with one of the powers. The server decides anew. */
export function hasPower(session: ReturnType<typeof useSession>, powers: readonly Power[]): boolean {
  if (session?.role !== 'operator') return session?.role === 'admin';
  return powers.some((power) => session.powers.includes(power));
}

export const usePower = (power: Power): boolean => hasPower(useSession(), [power]);

export const PanelHead = ({ title, children }: { title: ReactNode; children?: ReactNode }) => (
  <div className="panel-head">
    {title}
    {typeof children === 'string' ? <p className="t14 dim">{children}</p> : children}
  </div>
);

interface CopyableProps {
  noun: string;
  text: string;
  copied?: string;
  className?: string;
}

export const Copyable = ({ noun, text, copied = text, className = 'copyable' }: CopyableProps) => (
  <span className={className}>
    <span className="code">{text}</span>
    <Button
      className="iconbtn"
      icon={Copy}
      aria-label={`Copy the ${noun}`}
      onClick={() => void copyText(copied, `The ${noun} is on the clipboard.`)}
    />
  </span>
);

export function NotesField(field: FieldProps & { value: string }) {
  const left = ADMIN_NOTES_MAX_LENGTH - field.value.length;
  const hint = `Optional. ${numberText(left)} characters left.`;
  return <Field rows={3} maxLength={ADMIN_NOTES_MAX_LENGTH} hint={hint} {...field} />;
}

export const notesLabel = (gamerTag: string | null): string =>
  gamerTag === null ? 'Notes, kept in the ledger' : `Notes, shown to ${gamerTag}`;

export const ReasonField = (field: Partial<FieldProps>) => (
  <Field label="Reason, kept in the ledger" maxLength={REASON_MAX_LENGTH} {...field} />
);

export interface ConfirmDialogProps {
  title: string;
  description: string;
  children?: ReactNode;
  labels: { cancel: string; confirm: string; busy: string };
  /** `final` is red: for a command that cannot be undone and takes something away. */
  tone: 'act' | 'final';
  isReady?: boolean;
  /** Returns the failure's text, '' when the dialog's own field shows it, or null. */
  onConfirm: () => Promise<string | null>;
  onClose: () => void;
  /** Adds a second button that confirms and goes on with the next case. */
  onNext?: () => void;
  /** True for a case that such a button led to: the confirming button then has the first focus. */
  isNext?: boolean;
}

/** The dialog focuses the first button with this attribute. */
const FIRST_FOCUS = { 'data-first-focus': true };

/** Asks before a final command. The cancel button has the first focus; for a next case the confirming button has it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, children, labels, tone, isReady = true, onConfirm, onClose, onNext, isNext } = props;
  const { cancel, confirm: text, busy } = labels;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    if (!isBusy) onClose();
  };
  const confirm = async (then: () => void) => {
    if (!isReady || isBusy) return;
    setBusy(true);
    const found = await onConfirm();
    setBusy(false);
    setProblem(found);
    if (found === null) then();
  };
  return (
    <DialogSheet isQuestion onClose={close} title={title} description={description}>
      <Form onSubmit={() => confirm(onClose)}>
        {problem && <Notice tone="bad" text={problem} />}
        {children}
        <div className="actions">
          <Button text={cancel} {...(!isNext && FIRST_FOCUS)} onClick={close} />
          <Submit kind={tone} text={text} busy={busy} disabled={!isReady} {...(isNext && !onNext && FIRST_FOCUS)} />
          {onNext && (
            <Button
              kind={tone}
              text={`${text} and next`}
              busy={isBusy && busy}
              onClick={() => confirm(onNext)}
              {...FIRST_FOCUS}
            />
          )}
        </div>
      </Form>
    </DialogSheet>
  );
}

/** The edits of a saved record. `expected` is the record at the first edit; `theirs` describes the fields that others saved since. */
export function useEdits<Values extends Record<string, string>>(saved: Values, labels: Record<keyof Values, string>) {
  const [draft, setDraft] = useState<{ expected: Values; edits: Partial<Values> } | null>(null);
  const expected = draft?.expected ?? saved;
  const values: Values = { ...saved, ...draft?.edits };
  const names: (keyof Values)[] = Object.keys(saved);
  const isChanged = names.some((name) => values[name] !== saved[name]);
  const theirs = names
    .filter((name) => isChanged && expected[name] !== saved[name])
    .map((name) => `${labels[name]}: ${saved[name] || 'empty'}, was ${expected[name] || 'empty'}.`);
  const change = (edits: Partial<Values>) => setDraft({ expected, edits: { ...draft?.edits, ...edits } });
  const bind = (name: keyof Values) => ({
    value: values[name],
    onChange: (text: string) => change({ [name]: text } as Partial<Values>),
  });
  return { values, expected, isChanged, theirs, change, bind, reset: () => setDraft(null) };
}

interface EditConflictProps {
  edits: Pick<ReturnType<typeof useEdits>, 'theirs' | 'reset'>;
  onSaveMine: () => unknown;
}

export const EditConflict = ({ edits: { theirs, reset }, onSaveMine }: EditConflictProps) =>
  theirs.length > 0 && (
    <div className="grid gap-3 col-span-full">
      <Notice tone="time" urgent title="Somebody else saved this after you had opened it" text={theirs.join(' ')} />
      <div className="actions">
        <Button kind="line sm" text="Keep theirs" onClick={reset} />
        <Button kind="line sm" text="Save mine" onClick={() => void onSaveMine()} />
      </div>
    </div>
  );
