import { type FormEvent, useState } from 'react';
import { STATEMENT_ACCOUNTS, type StatementAccount } from '../../../../../contracts/http/audit.js';
import { Field } from '../../../shared/ui/field.js';
import { SelectField } from '../../../shared/ui/select-field.js';
import type { StatementAsked } from '../audit.queries.js';
import { isOfGamer } from '../audit-words.js';
import { statementProblem } from './statement-rules.js';

const accounts = STATEMENT_ACCOUNTS.map((account) => ({
  value: account,
  text: account === 'winnings' ? 'A gamer’s winnings' : account === 'purchase' ? 'A gamer’s purchase balance' : account,
}));

interface StatementFormProps {
  asked: StatementAsked;
  onAsk: (asked: StatementAsked) => void;
}

/** Whose account, and which days of New York. */
export function StatementForm({ asked, onAsk }: StatementFormProps) {
  const [draft, setDraft] = useState({ ...asked, gamer: asked.gamer ?? '' });
  const [problem, setProblem] = useState<ReturnType<typeof statementProblem>>(null);
  const change = (changed: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changed });
    setProblem(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = statementProblem(draft);
    setProblem(found);
    if (found !== null) return;
    const { account, from, to } = draft;
    onAsk({ account, from, to, ...(isOfGamer(account) ? { gamer: draft.gamer.trim() } : {}) });
  };
  return (
    <form className="statement-form" aria-label="Statement" noValidate onSubmit={submit}>
      <SelectField
        label="Account"
        value={draft.account}
        options={accounts}
        onChange={(account) => change({ account: account as StatementAccount })}
      />
      {isOfGamer(draft.account) && (
        <Field
          label="GamerTag"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          value={draft.gamer}
          error={problem?.field === 'gamer' ? problem.text : null}
          onChange={(event) => change({ gamer: event.target.value })}
        />
      )}
      <Field
        label="From"
        type="date"
        value={draft.from}
        max={draft.to}
        error={problem?.field === 'days' ? problem.text : null}
        onChange={(event) => change({ from: event.target.value })}
      />
      <Field
        label="To"
        type="date"
        value={draft.to}
        min={draft.from}
        onChange={(event) => change({ to: event.target.value })}
      />
      <button type="submit" className="btn btn--act">
        Show statement
      </button>
    </form>
  );
}
