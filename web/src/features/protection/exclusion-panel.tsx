import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExcludeRequest, Exclusion } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { EXCLUSION_DAYS, type ExclusionKind } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { exclusionText } from '../../../../contracts/refusals.js';
import { useServerNow } from '../../shared/clock.js';
import { useGamer, useProtection } from '../../shared/session.queries.js';
import { Button, Form, SelectField } from '../../shared/ui/controls.js';
import { DialogButton } from '../../shared/ui/dialog-button.js';
import { LoadFailure, Loading, Notice } from '../../shared/ui/notice.js';
import { useProtectionCommand } from './use-protection-command.js';

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

export function ExclusionPanel({ gamerId }: { gamerId: GamerId }) {
  const { data, isPending, refetch } = useProtection();
  if (isPending) return <Loading label="Loading your limits" rows={4} />;
  if (data === undefined) return <LoadFailure text="Your limits could not be loaded" onRetry={refetch} />;
  return (
    <div className="grid gap-6">
      {data.exclusion && <InForce gamerId={gamerId} exclusion={data.exclusion} />}
      <div className="duo">
        {data.exclusion?.kind !== 'self-exclusion' && (
          <section className="grid content-start gap-4">
            <h3>Time-out</h3>
            <p>You cannot buy, deposit, post or earn matrix winnings. It ends by itself.</p>
            <Choice gamerId={gamerId} kind="time-out" action="Take a time-out" />
          </section>
        )}
        <section className="grid content-start gap-4">
          <h3>Self-exclusion</h3>
          <p>
            The same, for longer. It does not end by itself: after its time you lift it here, and play again a day
            later. Another account with your email or payout address is refused meanwhile.
          </p>
          <Choice gamerId={gamerId} kind="self-exclusion" action="Exclude myself" />
        </section>
      </div>
      <p className="t14 dim">
        You can always log in, withdraw, read{' '}
        <Link className="underline" to="/statement">
          your statement
        </Link>{' '}
        and write to support. A round that you lead is still yours to win. If gambling harms you or somebody near you,
        talk to someone: in the USA call or text 1-800-GAMBLER.
      </p>
    </div>
  );
}

function Choice({ gamerId, kind, action }: { gamerId: GamerId; kind: ExclusionKind; action: string }) {
  const [days, setDays] = useState<number>(EXCLUSION_DAYS[kind][0]);
  const options = EXCLUSION_DAYS[kind].map((each) => ({ value: String(each), text: LENGTHS[each] ?? `${each} days` }));
  return (
    <>
      <SelectField label="For" value={String(days)} options={options} onChange={(value) => setDays(Number(value))} />
      <div className="actions">
        <DialogButton text={action} className="btn btn--line" title={`${action} for ${LENGTHS[days]}`}>
          {(close) => <Confirmation gamerId={gamerId} order={{ kind, days }} action={action} onDone={close} />}
        </DialogButton>
      </div>
    </>
  );
}

interface ConfirmationProps {
  gamerId: GamerId;
  order: ExcludeRequest;
  action: string;
  onDone: () => void;
}

function Confirmation({ gamerId, order, action, onDone }: ConfirmationProps) {
  const { isBusy: isPending, run } = useProtectionCommand<ExcludeRequest>(
    gamerId,
    'exclusion',
    'Nothing has changed yet',
  );
  return (
    <Form
      onSubmit={async () => {
        if ((await run(order)) === null) onDone();
      }}
    >
      <p>
        This begins at once and cannot be taken back, neither by you nor by us. Invoices that you pay from now on go to
        your purchase balance, which you can withdraw.
      </p>
      <Button type="submit" kind="act wide" text={action} busy={isPending && 'Sending…'} />
      <Button kind="text" text="Not now" onClick={onDone} />
    </Form>
  );
}

function InForce({ gamerId, exclusion }: { gamerId: GamerId; exclusion: Exclusion }) {
  const { data: gamer } = useGamer();
  const nowMs = useServerNow(60_000);
  const release = useProtectionCommand<object>(gamerId, 'release-balance', 'Your balance is unchanged');
  const lift = useProtectionCommand<object>(gamerId, 'exclusion/lift', 'Your self-exclusion is unchanged');
  const cents = gamer?.wallet.purchaseBalanceCents ?? 0;
  const isOver = exclusion.kind === 'self-exclusion' && nowMs >= exclusion.untilEpochMs;
  return (
    <div className="grid gap-4">
      <Notice
        tone="time"
        title={exclusionText(exclusion)}
        text={isOver ? 'Its time is over. It holds until you lift it.' : 'You can make it longer.'}
      />
      {cents > 0 && (
        <div className="grid justify-items-start gap-2">
          <p>
            Your purchase balance is <b className="num">{formatCents(cents)}</b>. Move it to your winnings to withdraw
            it.
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
