import { useState } from 'react';
import type * as http from '../../../../contracts/http/protection.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import * as protection from '../../../../contracts/protection.js';
import { exclusionText, limitText, refusalText } from '../../../../contracts/refusals.js';
import { useCommand } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { centsFromInput, commaProblem, dateTimeText, formatCents, inputFromCents } from '../../shared/format.js';
import { useGamer, useMyId, useProtection } from '../../shared/session.queries.js';
import { ConfirmDialog } from '../../shared/ui/admin-parts.js';
import { Button, Field, FieldMessage, Form, PageLink, Submit, useFields } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';

const KINDS: Record<protection.LimitKind, { title: string; text: string }> = {
  spending: { title: 'Spending', text: 'What you pay for tokens.' },
  deposits: { title: 'Deposits', text: 'What you pay in, without the fee.' },
  loss: { title: 'Net loss', text: 'What you pay for tokens, less the jackpots you win.' },
};
const PERIODS = { day: 'A day', week: 'A week', month: 'A month' } as const;

export const LimitsPanel = () => (
  <QueryResult query={useProtection()} noun="your limits" rows={6}>
    {(data) => <Limits data={data} />}
  </QueryResult>
);

function Limits({ data }: { data: http.ProtectionResponse }) {
  const shown = data.higher?.limits ?? data.limits;
  return (
    <div className="grid gap-6">
      {data.limitsInForce.length > 0 && (
        <ul className="grid gap-2" aria-label="Limits in force">
          {data.limitsInForce.map((limit) => (
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
      {data.higher && <HigherLimits higher={data.higher} />}
      <LimitsForm key={JSON.stringify(shown)} limits={shown} current={data} />
    </div>
  );
}

function LimitsForm({ limits: shown, current }: { limits: protection.PlayLimits; current: http.ProtectionResponse }) {
  const { values, problems, bind, fail } = useFields(textsOf(shown));
  const { run } = useProtectionCommand<http.SetLimitsRequest>('limits', 'Your limits are unchanged', 'PUT');
  /** Lower limits hold at once, and "0" is easily typed for "none": they need a second press. */
  const [toConfirm, setToConfirm] = useState<protection.PlayLimits | null>(null);
  const submit = () => {
    const typed = limitsFrom(values);
    if ('problems' in typed) return fail('Invalid Form', typed.problems);
    const isLower = protection.EVERY_LIMIT.some(({ kind, period }) => {
      const limit = typed.limits[kind][period];
      return limit !== null && limit < (current.limits[kind][period] ?? Number.POSITIVE_INFINITY);
    });
    return isLower ? setToConfirm(typed.limits) : run(typed.limits);
  };
  const hintOf = (kind: protection.LimitKind, period: protection.LimitPeriod) => {
    const held = current.limits[kind][period];
    return held !== null && held !== shown[kind][period] && `${formatCents(held)} until you confirm this.`;
  };
  return (
    <>
      <Form label="My limits" className="grid gap-6" onSubmit={submit}>
        {protection.LIMIT_KINDS.map((kind) => (
          <fieldset key={kind} className="grid gap-2 min-w-0" aria-describedby={`about-${kind}`}>
            <legend className="h3">{KINDS[kind].title}</legend>
            {/* In place of the text, so that no field moves. */}
            <FieldMessage
              id={`about-${kind}`}
              hint={KINDS[kind].text}
              error={protection.LIMIT_PERIODS.map((period) => problems[`${kind}-${period}`]).find(Boolean)}
            />
            <div className="grid gap-4 sm:grid-cols-3">
              {protection.LIMIT_PERIODS.map((period) => (
                <Field
                  key={period}
                  label={PERIODS[period]}
                  inputMode="decimal"
                  suffix="USD"
                  placeholder="No limit"
                  hint={hintOf(kind, period)}
                  {...bind(`${kind}-${period}`)}
                  error={problems[`${kind}-${period}`] && ''}
                />
              ))}
            </div>
          </fieldset>
        ))}
        <Submit text="Set my limits" busy="Saving…" />
        <p className="t14 dim">
          A lower limit holds at once, and an empty field means no limit. A higher one, or none, holds when you confirm
          it here, 24 hours later or more. Days, weeks from Monday on and months are New York's. A limit counts its
          whole period, also what you spent before you set it. The operator may have limits for every gamer; the
          stricter one holds.
        </p>
      </Form>
      {toConfirm && (
        <ConfirmDialog
          title="Set lower limits from now on?"
          description="You can raise them only after 24 hours. An empty field means no limit."
          labels={{ cancel: 'Not now', confirm: 'Set these limits', busy: 'Saving…' }}
          tone="act"
          onConfirm={() => run(toConfirm)}
          onClose={() => setToConfirm(null)}
        />
      )}
    </>
  );
}

type LimitTexts = Record<`${protection.LimitKind}-${protection.LimitPeriod}`, string>;

export function textsOf(saved: protection.PlayLimits): LimitTexts {
  const textOf = (cents: number | null) => (cents === null ? '' : inputFromCents(cents));
  const fields = protection.EVERY_LIMIT.map(({ kind, period }) => [`${kind}-${period}`, textOf(saved[kind][period])]);
  return Object.fromEntries(fields) as LimitTexts;
}

export function limitsFrom(texts: LimitTexts): { limits: protection.PlayLimits } | { problems: Partial<LimitTexts> } {
  const problems: Partial<LimitTexts> = {};
  const typed = protection.mapLimits((kind, period) => {
    const text = texts[`${kind}-${period}`].trim();
    if (text === '') return null;
    const cents = centsFromInput(text);
    if (cents === null || !protection.isLimit(cents)) problems[`${kind}-${period}`] = limitProblem(text, cents);
    return cents;
  });
  return Object.keys(problems).length === 0 ? { limits: typed } : { problems };
}

function limitProblem(text: string, cents: number | null): string {
  const isTooHigh = cents !== null && cents > 0;
  if (isTooHigh) return refusalText({ code: 'invalid-limits' });
  return commaProblem(text) ?? `Please enter an amount such as 20.00, not ${text}`;
}

function HigherLimits({ higher }: { higher: NonNullable<http.ProtectionResponse['higher']> }) {
  const nowMs = useServerNow(60_000);
  const { isBusy, run } = useProtectionCommand<object>('limits/confirm', 'Your limits are unchanged');
  const { confirmableFromMs } = higher;
  const isDue = nowMs >= confirmableFromMs;
  return (
    <div className="grid justify-items-start gap-4">
      <Notice
        tone="time"
        title="You asked for higher limits"
        text={
          isDue
            ? 'They hold once you confirm them. Set the old ones again to cancel your request.'
            : `You can confirm them from ${dateTimeText(confirmableFromMs)} on. Until then the old ones hold.`
        }
      />
      {isDue && <Button text="Confirm the higher limits" busy={isBusy && 'Sending…'} onClick={() => void run({})} />}
    </div>
  );
}

const MINIMUM = formatCents(MIN_WITHDRAWAL_CENTS);

const LENGTHS: Record<number, string> = {
  1: '24 hours',
  7: 'a week',
  30: 'a month (30 days)',
  42: 'six weeks',
  184: 'six months',
  366: 'a year',
  731: 'two years',
  1096: 'three years',
  1827: 'five years',
};

export const ExclusionPanel = () => (
  <QueryResult query={useProtection()} noun="your limits" rows={4}>
    {(data) => <Exclusion data={data} />}
  </QueryResult>
);

function Exclusion({ data }: { data: http.ProtectionResponse }) {
  const reach = reachText(data.sameMailbox);
  return (
    <div className="grid gap-6">
      {data.exclusion && <ExclusionInForce exclusion={data.exclusion} reach={reach} />}
      <div className="duo">
        {data.exclusion?.kind !== 'self-exclusion' && (
          <section className="grid content-start gap-4">
            <h3>Time-out</h3>
            <p>You cannot buy, deposit, post or earn matrix winnings. It ends by itself.</p>
            <ExclusionChoice kind="time-out" action="Take a time-out" reach={reach} />
          </section>
        )}
        <section className="grid content-start gap-4">
          <h3>Self-exclusion</h3>
          <p>
            The same, for longer. It does not end by itself: after its time you lift it here, and play again a day
            later.
          </p>
          <ExclusionChoice kind="self-exclusion" action="Exclude myself" reach={reach} />
        </section>
      </div>
      <p className="t14 dim">
        You can always log in, withdraw, read <PageLink className="underline" to="/statement" text="your statement" />{' '}
        and write to support. A round that you lead is still yours to win. If gambling harms you or somebody near you,
        talk to someone: in the USA call or text 1-800-GAMBLER.
      </p>
    </div>
  );
}

function ExclusionChoice({ kind, action, reach }: { kind: protection.ExclusionKind; action: string; reach: string }) {
  const [days, setDays] = useState<number>(protection.EXCLUSION_DAYS[kind][0]);
  const [isAsking, setIsAsking] = useState(false);
  const { run } = useProtectionCommand<http.ExcludeRequest>('exclusion', 'Nothing has changed yet');
  const options = protection.EXCLUSION_DAYS[kind].map((each) => ({
    value: String(each),
    text: LENGTHS[each] ?? `${each} days`,
  }));
  return (
    <>
      <Field label="For" value={days} options={options} onChange={(chosen) => setDays(Number(chosen))} />
      <div className="actions">
        <Button text={action} onClick={() => setIsAsking(true)} />
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`${action} for ${LENGTHS[days]}`}
          description={`This begins at once and cannot be taken back, neither by you nor by us. Invoices that you pay from now on go to your purchase balance, which you can withdraw once it is ${MINIMUM} or more.\n\n${reach}`}
          labels={{ cancel: 'Not now', confirm: action, busy: 'Sending…' }}
          tone="act"
          onConfirm={() => run({ kind, days })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** The accounts for which an exclusion holds. @param sameMailbox GamerTags of the accounts that confirmed this mailbox */
export function reachText(sameMailbox: readonly string[]): string {
  if (sameMailbox.length === 0)
    return 'Your email is not confirmed. We mail you a link: once you open it, this also holds for your other accounts with the same mailbox, and nobody can register another one.';
  const accounts = sameMailbox.length === 1 ? 'your account' : 'your accounts';
  return `This holds for ${accounts} ${sameMailbox.join(', ')}. Nobody can register another one with your mailbox meanwhile.`;
}

function ExclusionInForce({ exclusion, reach }: { exclusion: protection.Exclusion; reach: string }) {
  const { data: gamer } = useGamer();
  const nowMs = useServerNow(60_000);
  const release = useProtectionCommand<object>('release-balance', 'Your balance is unchanged');
  const lift = useProtectionCommand<object>('exclusion/lift', 'Your self-exclusion is unchanged');
  const cents = gamer?.wallet.purchaseBalanceCents ?? 0;
  const isTooLittle = cents + (gamer?.balances.currentWinningsCents ?? 0) < MIN_WITHDRAWAL_CENTS;
  const isOver = exclusion.kind === 'self-exclusion' && nowMs >= exclusion.untilMs;
  return (
    <div className="grid gap-4">
      <Notice
        tone="time"
        title={exclusionText(exclusion)}
        text={isOver ? 'Its time is over. It holds until you lift it.' : 'You can make it longer.'}
      />
      <p>{reach}</p>
      {cents > 0 && (
        <div className="grid justify-items-start gap-2">
          <p>
            Your purchase balance is <b className="num">{formatCents(cents)}</b>.{' '}
            {isTooLittle
              ? `A withdrawal is at least ${MINIMUM}, and with your winnings you have less. It stays yours: you can move it to your winnings, but not back before this is over.`
              : 'Move it to your winnings to withdraw it.'}
          </p>
          <Button
            text="Move it to my winnings"
            busy={release.isBusy && 'Moving…'}
            onClick={() => void release.run({})}
          />
        </div>
      )}
      {isOver && (
        <Button text="Lift my self-exclusion" busy={lift.isBusy && 'Sending…'} onClick={() => void lift.run({})} />
      )}
    </div>
  );
}

function useProtectionCommand<Body>(path: string, failureTitle: string, method: 'POST' | 'PUT' = 'POST') {
  const myId = useMyId();
  const { run, isBusy } = useCommand<Body>(method, `/api/gamer/${myId}/${path}`, {
    failureTitle,
    failureText: 'Please try again: it cannot happen twice.',
  });
  return { isBusy, run: (body: Body) => run(body, 'Done') };
}
