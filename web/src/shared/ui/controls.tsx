import { createLink } from '@tanstack/react-router';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, use, useId, useRef, useState } from 'react';
import { closeProblem, toastProblem } from './toasts.js';

type Colour = 'act' | 'buy' | 'danger' | 'final' | 'line' | 'text';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  text?: ReactNode;
  /** Colour and size of the button: the classes `btn--…` in styles/controls.css. */
  kind?: Colour | `${Colour} ${'sm' | 'wide'}`;
  icon?: LucideIcon | undefined;
  /** The thing that the button acts on, where several have one text: "Settle" of "payout 41" is named "Settle payout 41". */
  of?: string;
  /** Replaces the text while the button's command runs. Presses meanwhile do nothing; the button keeps the focus. */
  busy?: string | false;
  /** Presses do nothing, and the button keeps the focus. A text says why. */
  blocked?: string | boolean;
}

export function Button(props: ButtonProps) {
  const { text, kind = 'line', icon: Icon, of, busy = false, blocked = false, onClick, ...button } = props;
  const isOff = busy !== false || blocked !== false;
  const shown = busy || text;
  return (
    <button
      type="button"
      className={`btn btn--${kind.replace(' ', ' btn--')}`}
      aria-label={of && `${text} ${of}`}
      title={typeof blocked === 'string' ? blocked : undefined}
      {...button}
      aria-disabled={isOff || button['aria-disabled']}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {Icon && <Icon size={18} aria-hidden="true" />}
      {Icon && shown ? <span>{shown}</span> : shown}
    </button>
  );
}

/** A link to a page of this site, with its text as a property, as a Button has it. */
export const PageLink = createLink(({ text, ...link }: ComponentProps<'a'> & { text: ReactNode }) => (
  <a {...link}>{text}</a>
));

type VerifyLinkProps = ComponentProps<'a'> & { text: string; search: Record<string, string> };

/** @param search the subject of the check (web/src/features/receipts/verify-screen.tsx) */
export const VerifyLink = ({ search, className = 'linkish', ...link }: VerifyLinkProps) => (
  <PageLink className={className} to="/verify" search={search as never} {...link} />
);

export interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: ReactNode;
  onChange?: (text: string) => void;
  labelHidden?: boolean;
  hint?: ReactNode;
  /** Replaces the hint and marks the field invalid. Empty: only marks it. */
  error?: string | null | undefined;
  suffix?: ReactNode;
  rows?: number;
  /** Makes the field a select. */
  options?: readonly { value: string; text: string }[];
  /** Maximum number of characters, shown with the number typed. A longer text is marked invalid, not cut off. */
  limit?: number;
}

/** A labelled input. Browsers complete it only where `autoComplete` says so. `children` are shown next to the limit. */
export function Field(props: FieldProps) {
  const {
    label,
    labelHidden,
    hint,
    error,
    suffix,
    rows,
    options,
    limit,
    className = '',
    children,
    onChange,
    ...input
  } = props;
  const id = useId();
  const line = options === undefined ? 'input' : 'select';
  const Control = (rows === undefined ? line : 'textarea') as 'input';
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
      onChange={onChange && ((event) => onChange(event.target.value))}
    >
      {options?.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </Control>
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

interface SwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

export const Switch = ({ isOn, onChange, children }: SwitchProps) => (
  <label className="switch">
    <input
      type="checkbox"
      role="switch"
      aria-checked={isOn}
      checked={isOn}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{children}</span>
  </label>
);

export const FieldMessage = ({ id, hint, error }: Pick<FieldProps, 'hint' | 'error'> & { id: string }) =>
  error || hint ? (
    <p className={error ? 'msg msg--bad' : 'msg'} id={id}>
      {error && <CircleAlert size={18} aria-hidden="true" />}
      {error ? <span>{error}</span> : hint}
    </p>
  ) : null;

interface FormProps {
  label?: string | undefined;
  className?: string;
  onSubmit: () => unknown;
  children: ReactNode;
}

/** A form that our rules validate, disabled while it is sent. Afterwards the first field with an error has the focus. */
export function Form({ label, className = 'grid gap-4', onSubmit, children }: FormProps) {
  const [isBusy, setIsBusy] = useState(false);
  const isSending = useRef(false);
  const submit = async (form: HTMLFormElement) => {
    // The second press of a double click.
    if (isSending.current) return;
    isSending.current = true;
    closeProblem();
    const focused = document.activeElement;
    // A form that the page itself refuses is refused before this timer, and the focus stays.
    const timer = setTimeout(() => setIsBusy(true));
    try {
      await onSubmit();
    } finally {
      clearTimeout(timer);
      isSending.current = false;
      setIsBusy(false);
    }
    // React renders the errors first.
    setTimeout(() => {
      const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
      for (const part of invalid ? [form.querySelector('[type=submit]'), invalid.closest('.field')] : [])
        part?.scrollIntoView({ block: 'nearest' });
      // While disabled, the field lost the focus to an element around the form.
      const target = invalid ?? (document.activeElement?.contains(form) ? focused : null);
      // The browser would centre the field by itself.
      if (target instanceof HTMLElement) target.focus({ preventScroll: invalid !== null });
    });
  };
  return (
    <form
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <fieldset className={className} disabled={isBusy}>
        <FormIsBusy value={isBusy}>{children}</FormIsBusy>
      </fieldset>
    </form>
  );
}

const FormIsBusy = createContext(false);

export const Submit = ({ busy, ...button }: ButtonProps & { busy: string }) => (
  <Button type="submit" kind="act wide" {...button} busy={use(FormIsBusy) && busy} />
);

export type Problems<Values> = Partial<Record<keyof Values, string>>;

/** The values of a form's fields, and the error of each. Typing into a field clears its error. An error text of several fields is shown at the first. */
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
    onChange: (text: string) => {
      setValues({ ...values, [field]: text });
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

/** Term, value and optional class of the value. The class `total` marks the last row of a sum. A row without a value is left out. */
export type PairRow = readonly [term: string, value: ReactNode, className?: string];

export const Pairs = ({ rows, className = 'sum', ...list }: ComponentProps<'dl'> & { rows: readonly PairRow[] }) => (
  <dl className={className} {...list}>
    {rows
      .filter(([, value]) => value !== false && value !== undefined)
      .map(([term, value, valueClass]) => (
        <div key={term} className={valueClass === 'total' ? 'total' : undefined}>
          <dt>{term}</dt>
          <dd className={valueClass === 'total' ? undefined : valueClass}>{value}</dd>
        </div>
      ))}
  </dl>
);
