import { Download } from 'lucide-react';
import { useState } from 'react';
import { type Alarm, EMPTY_MEMORY } from '../../shared/ledger/ledger-memory.js';
import { parseCheckpoint } from '../../shared/ledger/signed-note.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { Button } from '../../shared/ui/controls.js';
import { Notice, scrollable } from '../../shared/ui/notice.js';
import { alarmText, saveAlarm } from './ledger-alarm.js';

export function AlarmPanel({ alarm }: { alarm: Alarm }) {
  const [isSaved, setIsSaved] = useState(false);
  const { title, says, means, advice } = alarmText(alarm);
  const save = () => {
    saveAlarm(alarm);
    setIsSaved(true);
  };
  return (
    <section className="proof-sheet" aria-label={title}>
      <h2>{title}</h2>
      <Notice tone="bad" text={says} />
      <dl className="alarm-words">
        <dt>What it means</dt>
        <dd>{means}</dd>
        <dt>What to do</dt>
        <dd>{advice}</dd>
      </dl>
      <Text name="What this browser remembered" text={alarm.remembered} />
      <Text name="What the server signed now" text={alarm.received} />
      <div className="actions">
        <Button kind="act" icon={Download} text="Save both texts" onClick={save} />
        {alarm.kind === 'key' && (
          <Button kind="danger" text="I compared it: accept the new key" onClick={() => acceptKey(alarm)} />
        )}
        <Button
          kind="danger"
          text="Forget all and begin anew"
          disabled={!isSaved}
          title={isSaved ? undefined : 'Save both texts first'}
          onClick={() => ledgerMemory.update(() => EMPTY_MEMORY)}
        />
      </div>
      {!isSaved && (
        <p className="t14 dim">Forgetting is possible once both texts are saved. The warning stays until then.</p>
      )}
    </section>
  );
}

const acceptKey = ({ received }: Alarm): void =>
  ledgerMemory.update((known) => ({ ...known, key: parseCheckpoint(received).key, alarm: null }));

const Text = ({ name, text }: { name: string; text: string }) => (
  <div>
    <h3>{name}</h3>
    <pre className="code proof-text" {...scrollable(name)}>
      {text}
    </pre>
  </div>
);
