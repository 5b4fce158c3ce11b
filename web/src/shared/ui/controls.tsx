import { CircleAlert, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
import { toastProblem } from './toasts.js';

type Colour = 'act' | 'buy' | 'danger' | 'final' | 'line' | 'text';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  text?: ReactNode;
  /** Colour and size of the button: the classes `btn--…` in styles/controls.css. */
  kind?: Colour | `${Colour} ${'sm' | 'wide'}`;
  icon?: LucideIcon | undefined;
  /** Replaces the text while the button's command runs. Presses meanwhile do nothing; the button keeps the focus. */
  busy?: string | false;
}

export function Button({ text, kind = 'line', icon: Icon, busy = false, onClick, ...button }: ButtonProps) {
  const isBusy = busy !== false;
  return (
    <button
      type="button"
      className={`btn btn--${kind.replace(' ', ' btn--')}`}
      {...button}
      aria-disabled={isBusy || button['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {Icon && <Icon size={18} aria-hidden="true" />}
      {Icon && text ? <span>{busy || text}</span> : busy || text}
    </button>
  );
}

interface LabelledProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Replaces the hint and marks the field invalid. Empty: only marks it. */
  error?: string | null | undefined;
}

export interface FieldProps extends ComponentProps<'input'>, LabelledProps {
  labelHidden?: boolean;
  suffix?: ReactNode;
  rows?: number;
  /** Maximum number of characters, shown with the number typed. A longer text is marked invalid, not cut off. */
  limit?: number;
}

/** A labelled input. Browsers complete it only where `autoComplete` says so. `children` are shown next to the limit. */
export function Field(props: FieldProps) {
  const { label, labelHidden, hint, error, suffix, rows, limit, className = '', children, ...input } = props;
  const id = useId();
  const Control = (rows === undefined ? 'input' : 'textarea') as 'input';
  const length = `${input.value ?? ''}`.length;
  const isInvalid = typeof error === 'string' || (limit !== undefined && length > limit);
  const described = [(error || hint) && `${id}-m`, limit !== undefined && `${id}-n`].filter(Boolean).join(' ');
  const control = (
    <Control
      {...(rows === undefined ? { autoComplete: 'off' } : { rows })}
      {...input}
      id={id}
      aria-invalid={isInvalid || undefined}
      aria-describedby={described || undefined}
      className={`input ${className}`}
    />
  );
  return (
    <div className="field">
      <label htmlFor={id} className={labelHidden ? 'sr' : undefined}>
        {label}
      </label>
      {suffix === undefined ? (
        control
      ) : (
        <div className="suffix">
          {control}
          {typeof suffix === 'string' ? <b aria-hidden="true">{suffix}</b> : suffix}
        </div>
      )}
      <FieldMessage id={`${id}-m`} hint={hint} error={error} />
      {limit !== undefined && (
        <div className="flex items-center justify-between gap-4">
          <span id={`${id}-n`} className={`t14 num ${isInvalid ? 'bad' : 'dim'}`}>
            {`${length} of ${limit}`}
          </span>
          {children}
        </div>
      )}
    </div>
  );
}

interface SelectFieldProps extends LabelledProps {
  value: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
  disabled?: boolean;
}

export function SelectField({ label, value, options, onChange, hint, error, disabled }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-m` : undefined}
        className="input"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <FieldMessage id={`${id}-m`} hint={hint} error={error} />
    </div>
  );
}

export function FieldMessage({ id, hint, error }: { id: string } & Omit<LabelledProps, 'label'>) {
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

interface FormProps {
  label?: string | undefined;
  className?: string;
  onSubmit: () => unknown;
  children: ReactNode;
}

/**
 * A form that is validated by our rules, not by the browser, and disabled while it is sent. Then the focus is on the first
 * field with an error, with the button in view where both have room, or where it was.
 */
export function Form({ label, className = 'grid gap-4', onSubmit, children }: FormProps) {
  const [isSent, setIsSent] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const focused = document.activeElement;
    // What the page itself refuses is refused before this timer, and the focus stays.
    const timer = setTimeout(() => setIsSent(true));
    try {
      await onSubmit();
    } finally {
      clearTimeout(timer);
      setIsSent(false);
    }
    // React renders the errors first.
    setTimeout(() => {
      const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
      for (const part of invalid ? [form.querySelector('[type=submit]'), invalid.closest('.field')] : [])
        part?.scrollIntoView({ block: 'nearest' });
      const target = invalid ?? (document.activeElement === document.body ? focused : null);
      // By itself the browser would centre the field.
      if (target instanceof HTMLElement) target.focus({ preventScroll: invalid !== null });
    });
  };
  return (
    <form aria-label={label} noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className={className} disabled={isSent}>
        {children}
      </fieldset>
    </form>
  );
}

export type Problems<Values> = Partial<Record<keyof Values, string>>;

/** The values of a form's fields, and the error of each. Typing into a field clears its error. A text stands once. */
export function useFields<Values extends Record<string, string>>(blank: Values) {
  const [values, setValues] = useState(blank);
  const [problems, setProblems] = useState<Problems<Values>>({});
  const errorOf = (field: keyof Values): string | null => {
    const text = problems[field] ?? null;
    const first = Object.keys(problems).find((other) => problems[other] === text);
    return text !== null && first !== field ? '' : text;
  };
  const bind = (field: keyof Values) => ({
    value: values[field],
    error: errorOf(field),
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [field]: event.target.value });
      setProblems({ ...problems, [field]: undefined });
    },
  });
  const change = (changed: Partial<Values>) => {
    setValues({ ...values, ...changed });
    setProblems({});
  };
  const fail = (title: string, found: Problems<Values>) => {
    setProblems(found);
    toastProblem(title, Object.values<string | undefined>(found)[0] ?? '');
  };
  return { values, problems, setProblems, bind, change, fail };
}

/** The rows of an order: term, value and optional class of the value. The class `total` marks the last row. */
export const Sum = ({ rows }: { rows: readonly (readonly [term: string, value: string, className?: string])[] }) => (
  <dl className="sum num">
    {rows.map(([term, value, className]) => (
      <div key={term} className={className === 'total' ? 'total' : undefined}>
        <dt>{term}</dt>
        <dd className={className === 'total' ? undefined : className}>{value}</dd>
      </div>
    ))}
  </dl>
);
