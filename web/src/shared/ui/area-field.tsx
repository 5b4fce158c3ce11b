import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldMessage } from './field.js';

interface AreaFieldProps extends Omit<ComponentProps<'textarea'>, 'maxLength' | 'value'> {
  label: ReactNode;
  /** Said to screen readers alone. */
  labelHidden?: boolean;
  value: string;
  /** Characters; counted below the field, not cut off. */
  limit: number;
  error?: string | null | undefined;
  /** Beside the counter. */
  children?: ReactNode;
}

/** A field of several lines that counts its characters. */
export function AreaField({
  label,
  labelHidden = false,
  limit,
  error,
  children,
  value,
  className,
  ...area
}: AreaFieldProps) {
  const id = useId();
  const isOver = value.length > limit;
  return (
    <div className="field">
      <label htmlFor={id} className={labelHidden ? 'sr' : undefined}>
        {label}
      </label>
      <textarea
        {...area}
        id={id}
        value={value}
        className={`input ${className ?? ''}`}
        aria-invalid={error || isOver ? true : undefined}
        aria-describedby={error ? `${id}-m ${id}-n` : `${id}-n`}
      />
      <FieldMessage id={`${id}-m`} error={error} />
      <div className="flex items-center justify-between gap-4">
        <span id={`${id}-n`} className={`t14 num ${isOver ? 'bad' : 'dim'}`}>
          {value.length} of {limit}
        </span>
        {children}
      </div>
    </div>
  );
}
