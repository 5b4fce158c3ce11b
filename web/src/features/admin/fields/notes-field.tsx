import { useId } from 'react';
import { ADMIN_NOTES_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { FieldMessage } from '../../../shared/ui/field.js';

/** Notes of the admin's. The label says who reads them. */
export function NotesField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const id = useId();
  const left = ADMIN_NOTES_MAX_LENGTH - value.length;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={3}
        maxLength={ADMIN_NOTES_MAX_LENGTH}
        aria-describedby={`${id}-m`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldMessage id={`${id}-m`} hint={`Optional. ${left.toLocaleString('en-US')} characters left.`} />
    </div>
  );
}
