import { useState } from 'react';
import { Button } from './controls.js';
import { Notice } from './notice.js';

/** The edits of a saved record. `readAs` is the record of the first edit, and `theirs` what others saved since. */
export function useEdits<Values extends Record<string, string>>(saved: Values, labels: Record<keyof Values, string>) {
  const [draft, setDraft] = useState<{ readAs: Values; edits: Partial<Values> } | null>(null);
  const readAs = draft?.readAs ?? saved;
  const values: Values = { ...saved, ...draft?.edits };
  const names: (keyof Values)[] = Object.keys(saved);
  const isChanged = names.some((name) => values[name] !== saved[name]);
  const theirs = names
    .filter((name) => isChanged && readAs[name] !== saved[name])
    .map((name) => `${labels[name]}: ${saved[name] || 'empty'}, was ${readAs[name] || 'empty'}.`);
  const change = (edits: Partial<Values>) => setDraft({ readAs, edits: { ...draft?.edits, ...edits } });
  const bind = (name: keyof Values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value } as Partial<Values>),
  });
  return { values, readAs, isChanged, theirs, change, bind, reset: () => setDraft(null) };
}

interface TheirsProps {
  edits: Pick<ReturnType<typeof useEdits>, 'theirs' | 'reset'>;
  onSaveMine: () => unknown;
}

/** Tells what others saved meanwhile, and lets the admin choose. */
export const Theirs = ({ edits: { theirs, reset }, onSaveMine }: TheirsProps) =>
  theirs.length > 0 && (
    <div className="grid gap-3 col-span-full">
      <Notice tone="time" urgent title="Somebody else saved this after you had opened it" text={theirs.join(' ')} />
      <div className="actions">
        <Button kind="line sm" text="Keep theirs" onClick={reset} />
        <Button kind="line sm" text="Save mine" onClick={() => void onSaveMine()} />
      </div>
    </div>
  );
