import type * as http from '../../../../contracts/http/game.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { useCommand } from '../../shared/api/use-api.js';
import { useServerNow } from '../../shared/clock.js';
import { startText } from '../../shared/format.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';

const REPEATS = [
  { value: 'once', text: 'Once' },
  { value: 'daily', text: 'Daily at this time' },
];

/** Plans a start by the clocks of the admin's device. */
export function PlanStart() {
  const { values, bind } = useFields({ localTime: '', repeat: 'once' });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { run, isBusy } = useCommand<http.ScheduleRequest, MessageResponse>('POST', '/api/admin/game/schedule', {
    what: 'plan the start',
    failed: 'Start Not Planned',
  });
  const plan = { ...values, repeat: values.repeat as 'once', timeZone };
  return (
    <Form label="Plan a start" onSubmit={() => run(plan, ({ message: text }) => ({ title: 'Start Planned', text }))}>
      <Field label="Next start" type="datetime-local" suffix={timeZone} {...bind('localTime')} />
      <Field label="Repeat" options={REPEATS} {...bind('repeat')} />
      <Button type="submit" text="Plan this start" busy={isBusy && 'Planning…'} />
    </Form>
  );
}

interface PlannedStartProps {
  plan: NonNullable<http.GameState['plan']>;
  isIdle: boolean;
}

/** The planned start. One that came while a game ran is skipped, and a daily one goes on after the reset. */
export function PlannedStart({ plan, isIdle }: PlannedStartProps) {
  const { startsAtEpochMs, localTime, timeZone, repeat } = plan;
  const now = useServerNow();
  const { run, isBusy } = useCommand<http.CancelScheduleRequest>('POST', '/api/admin/game/schedule/cancel', {
    what: 'cancel the planned start',
  });
  const isSkipped = !isIdle && startsAtEpochMs <= now;
  const daily = repeat === 'daily' ? ` Daily at ${localTime.slice(11)} in ${timeZone}.` : '';
  return (
    <div className="actions">
      <p>{`Next start ${startText(startsAtEpochMs, now)}${isSkipped ? ': skipped, because a game is running' : ''}.${daily}`}</p>
      <Button
        text="Cancel this start"
        disabled={isBusy}
        onClick={() => void run({ startsAtEpochMs }, { title: 'Start Cancelled' })}
      />
    </div>
  );
}
