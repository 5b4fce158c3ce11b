import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps extends ComponentProps<'input'> {
  label: ReactNode;
  hint?: ReactNode;
  /** Takes the hint's place and marks the field invalid. */
  error?: string | null | undefined;
  /** Inside the field, at its end: a unit. */
  suffix?: string;
}

export function Field({ label, hint, error, suffix, className, ...input }: FieldProps) {
  const id = useId();
  const describedBy = error || hint ? `${id}-m` : undefined;
  const control = (
    <input
      {...input}
      id={id}
      className={`input ${className ?? ''}`}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy}
    />
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {suffix === undefined ? (
        control
      ) : (
        <div className="suffix">
          {control}
          <b aria-hidden="true">{suffix}</b>
        </div>
      )}
      <FieldMessage id={`${id}-m`} hint={hint} error={error} />
    </div>
  );
}

export function FieldMessage({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | null | undefined }) {
  if (error)
    return (
      <p className="msg msg--bad" id={id}>
        <CircleAlert size={18} aria-hidden="true" />
        <span>{error}</span>
      </p>
    );
  return hint ? (
    <p className="msg" id={id}>
      {hint}
    </p>
  ) : null;
}
