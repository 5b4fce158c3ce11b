import { type FormEvent, useState } from 'react';
import type { TimerSettings } from '../../../../../contracts/limits.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { durationText } from '../../../shared/format/clock-text.js';
import { wholeFromInput } from '../../../shared/format/money-input.js';
import { Field } from '../../../shared/ui/field.js';
import { LoadFailure, Loading } from '../../../shared/ui/notice.js';
import { toast } from '../../../shared/ui/toasts.js';
import { useSaveTimers, useTimers } from './game-control.queries.js';

const fields: { name: keyof TimerSettings; label: string }[] = [
  { name: 'pregameDurationSeconds', label: 'Pregame' },
  { name: 'liveDurationSeconds', label: 'Live' },
  { name: 'downtimeDurationSeconds', label: 'Downtime' },
  { name: 'tokenExtensionSeconds', label: 'Time per token' },
];

export function TimerForm() {
  const { data, isPending, refetch } = useTimers();
  if (isPending) return <Loading label="Loading timer settings" rows={4} />;
  if (data === undefined)
    return (
      <div>
        <LoadFailure text="The timer settings could not be loaded" onRetry={() => void refetch()} />
      </div>
    );
  return <TimerFields saved={data} />;
}

function TimerFields({ saved }: { saved: TimerSettings }) {
  const [timers, setTimers] = useState(saved);
  const { save, isPending } = useSaveTimers();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await save(timers);
      toast({
        title: 'Timer Settings Updated',
        text: 'They hold from the next phase on; time per token from the next round.',
      });
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to update timer settings'), tone: 'bad' });
    }
  };
  return (
    <form className="timers" aria-label="Timer settings" onSubmit={(event) => void submit(event)}>
      {fields.map(({ name, label }) => (
        <SecondsField
          key={name}
          label={label}
          value={timers[name]}
          onChange={(seconds) => setTimers({ ...timers, [name]: seconds })}
        />
      ))}
      <button type="submit" className="btn btn--line" disabled={isPending}>
        {isPending ? 'Saving…' : 'Save timers'}
      </button>
      <p className="msg col-span-full">Timers hold from the next phase, time per token from the next round.</p>
    </form>
  );
}

/** Takes whole numbers of at least 1; anything else is ignored, and an emptied field returns to what it was. */
function SecondsField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (seconds: number) => void;
}) {
  const [text, setText] = useState(`${value}`);
  const take = (typed: string) => {
    const seconds = wholeFromInput(typed);
    if (seconds === null && typed !== '') return;
    setText(typed);
    if (seconds !== null) onChange(seconds);
  };
  return (
    <Field
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      suffix={value >= 60 && (value % 60 === 0 || value % 3600 === 0) ? `s, ${durationText(value)}` : 's'}
      value={text}
      onChange={(event) => take(event.target.value)}
      onBlur={() => setText(`${value}`)}
    />
  );
}
