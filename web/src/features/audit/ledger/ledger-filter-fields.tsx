import { LEDGER_EVENT_TYPES } from '../../../../../contracts/http/audit.js';
import { FIND_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { Field } from '../../../shared/ui/field.js';
import { SelectField } from '../../../shared/ui/select-field.js';

/** As they stand in the fields. */
export interface TypedFilters {
  find: string;
  type: string;
  round: string;
}

export const NO_FILTERS: TypedFilters = { find: '', type: '', round: '' };

const types = [
  { value: '', text: 'All events' },
  ...[...LEDGER_EVENT_TYPES].sort().map((type) => ({ value: type, text: type })),
];

interface LedgerFilterFieldsProps {
  typed: TypedFilters;
  roundProblem: string | null;
  onType: (typed: TypedFilters) => void;
}

export function LedgerFilterFields({ typed, roundProblem, onType }: LedgerFilterFieldsProps) {
  return (
    <search className="filters" aria-label="Which events">
      <Field
        label="Find an id, gamer, address or hash"
        type="search"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={FIND_MAX_LENGTH}
        placeholder="nova_kid, 184219, 41d7…"
        value={typed.find}
        onChange={(event) => onType({ ...typed, find: event.target.value })}
      />
      <SelectField label="Event" value={typed.type} options={types} onChange={(type) => onType({ ...typed, type })} />
      <Field
        label="Round"
        inputMode="numeric"
        autoComplete="off"
        placeholder="All"
        value={typed.round}
        error={roundProblem}
        onChange={(event) => onType({ ...typed, round: event.target.value })}
      />
    </search>
  );
}
