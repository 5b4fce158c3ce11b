import type { ProtectionResponse, SetLimitsRequest } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { LIMIT_KINDS, LIMIT_PERIODS, type LimitKind } from '../../../../contracts/limits.js';
import { limitText } from '../../../../contracts/refusals.js';
import { useServerNow } from '../../shared/clock.js';
import { dateTimeText } from '../../shared/format.js';
import { useProtection } from '../../shared/session.queries.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { LoadFailure, Loading, Notice } from '../../shared/ui/notice.js';
import { limitsFrom, textsOf } from './limits-rules.js';
import { useProtectionCommand } from './use-protection-command.js';

const KINDS: Record<LimitKind, { title: string; text: string }> = {
  spending: { title: 'Spending', text: 'What you pay for tokens.' },
  deposits: { title: 'Deposits', text: 'What you pay in, without the fee.' },
  loss: { title: 'Net loss', text: 'What you pay for tokens, less the jackpots you win.' },
};
const PERIODS = { day: 'A day', week: 'A week', month: 'A month' } as const;

export function LimitsPanel({ gamerId }: { gamerId: GamerId }) {
  const { data, isPending, refetch } = useProtection();
  if (isPending) return <Loading label="Loading your limits" rows={6} />;
  if (data === undefined) return <LoadFailure text="Your limits could not be loaded" onRetry={refetch} />;
  const shown = data.wanted?.limits ?? data.limits;
  return (
    <div className="grid gap-6">
      {data.left.length > 0 && (
        <ul className="grid gap-2" aria-label="Limits in force">
          {data.left.map((limit) => (
            <li key={`${limit.kind} ${limit.period}`}>{limitText(limit)}</li>
          ))}
        </ul>
      )}
      {data.mustChooseLimits && (
        <Notice
          tone="time"
          title="Choose a limit first"
          text="The operator asks every gamer to have a limit of their own before they deposit or buy tokens."
        />
      )}
      {data.wanted && <Raise gamerId={gamerId} wanted={data.wanted} />}
      <LimitsForm key={JSON.stringify(shown)} gamerId={gamerId} limits={shown} />
    </div>
  );
}

function LimitsForm({ gamerId, limits }: { gamerId: GamerId; limits: ProtectionResponse['limits'] }) {
  const { values, bind, fail } = useFields(textsOf(limits));
  const { isBusy: isPending, run } = useProtectionCommand<SetLimitsRequest>(
    gamerId,
    'limits',
    'Your limits are unchanged',
    'PUT',
  );
  const submit = () => {
    const typed = limitsFrom(values);
    return 'problems' in typed ? fail('Invalid Form', typed.problems) : run(typed.limits);
  };
  return (
    <Form label="My limits" className="grid gap-6" onSubmit={submit}>
      {LIMIT_KINDS.map((kind) => (
        <fieldset key={kind} className="grid gap-2 min-w-0">
          <legend className="h3">{KINDS[kind].title}</legend>
          <p className="t14 dim">{KINDS[kind].text}</p>
          <div className="grid gap-4 sm:grid-cols-3">
            {LIMIT_PERIODS.map((period) => (
              <Field
                key={period}
                label={PERIODS[period]}
                inputMode="decimal"
                suffix="USD"
                placeholder="No limit"
                {...bind(`${kind}-${period}`)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Button type="submit" kind="act wide" text="Set my limits" busy={isPending && 'Saving…'} />
      <p className="t14 dim">
        A lower limit holds at once. A higher one, or none, holds when you confirm it here, 24 hours later or more.
        Days, weeks from Monday on and months are New York's. A limit counts its whole period, also what you spent
        before you set it. The operator may have limits for every gamer; the stricter one holds.
      </p>
    </Form>
  );
}

function Raise({ gamerId, wanted }: { gamerId: GamerId; wanted: NonNullable<ProtectionResponse['wanted']> }) {
  const nowMs = useServerNow(60_000);
  const { isBusy: isPending, run } = useProtectionCommand<object>(
    gamerId,
    'limits/confirm',
    'Your limits are unchanged',
  );
  const { confirmableFromEpochMs } = wanted;
  const isDue = nowMs >= confirmableFromEpochMs;
  return (
    <div className="grid justify-items-start gap-4">
      <Notice
        tone="time"
        title="You asked for higher limits"
        text={
          isDue
            ? 'They hold once you confirm them. Set the old ones again to withdraw your wish.'
            : `You can confirm them from ${dateTimeText(confirmableFromEpochMs)} on. Until then the old ones hold.`
        }
      />
      {isDue && <Button text="Confirm the higher limits" busy={isPending && 'Sending…'} onClick={() => void run({})} />}
    </div>
  );
}
