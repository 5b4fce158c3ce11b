import { Copy } from 'lucide-react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { TransferRequest } from '../../../../contracts/http/winnings.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import { exclusionText, refusalText } from '../../../../contracts/refusals.js';
import { transferRefusal } from '../../../../contracts/validation.js';
import { useCommand } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { centsFromInput, commaProblem, counted, daysLeft, dayText, formatCents } from '../../shared/format.js';
import { referralUrl, useExclusion, useGamer, useSession } from '../../shared/session.queries.js';
import { Button, Field, Form, PageLink, Pairs, Submit, useFields } from '../../shared/ui/controls.js';
import { DialogButton } from '../../shared/ui/dialog.js';
import { useLinkedSection, WINNINGS_ID } from '../../shared/ui/go-to.js';
import { Notice } from '../../shared/ui/notice.js';
import { AmountField } from '../../shared/ui/payout-fields.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import { copyText } from '../../shared/ui/toasts.js';
import { MyWithdrawals, WithdrawForm } from '../withdrawals/my-withdrawals.js';
import { Figures } from './figures.js';

/** `onDeposit` is null for the admin, who never deposits. */
type DepositProps = { onDeposit: (() => void) | null };
type WinningsProps = DepositProps & { gamer: GamerProfile };

export default function MyWinnings({ onDeposit }: DepositProps) {
  const query = useGamer();
  useLinkedSection(WINNINGS_ID);
  return (
    <QueryResult query={query} noun="your winnings">
      {(gamer) => <Winnings gamer={gamer} onDeposit={onDeposit} />}
    </QueryResult>
  );
}

function Winnings({ gamer, onDeposit }: WinningsProps) {
  const role = useSession()?.role;
  const isExcluded = useExclusion() !== null;
  const cannotPlay = role === 'auditor' || role === 'operator';
  const isBelowMinimum = gamer.balances.currentWinningsCents < MIN_WITHDRAWAL_CENTS;
  return (
    <div>
      <div className="duo">
        <div>
          <Figures balances={gamer.balances} />
          {cannotPlay && <Notice tone="plain" text={`${refusalText({ code: 'staff-cannot-play' })}.`} />}
          <div className="actions">
            {!cannotPlay && (
              <DialogButton
                text="Withdraw Winnings"
                kind={isBelowMinimum ? 'line' : 'act'}
                title="Withdraw Winnings"
                disabled={isBelowMinimum}
              >
                {(close) => <WithdrawForm gamer={gamer} onDone={close} />}
              </DialogButton>
            )}
            {!isExcluded && (
              <DialogButton
                text="Transfer to Purchase Balance"
                title="Transfer to Purchase Balance"
                disabled={gamer.balances.currentWinningsCents === 0}
              >
                {(close) => <TransferForm gamer={gamer} onDone={close} />}
              </DialogButton>
            )}
          </div>
          {!cannotPlay && isBelowMinimum && (
            <p className="t14 dim mt-2">You can withdraw when you have {formatCents(MIN_WITHDRAWAL_CENTS)} or more.</p>
          )}
        </div>
        <div className="grid content-start gap-6">
          <DepositorBanner gamer={gamer} onDeposit={onDeposit} />
          <ReferralLink refCode={gamer.refCode} />
        </div>
      </div>
      <MyWithdrawals />
    </div>
  );
}

/** No text invites an excluded gamer to deposit. */
function DepositorBanner({ gamer, onDeposit }: WinningsProps) {
  const { tone, title, text } = depositorNotice(gamer, useServerNow(60_000));
  const exclusion = useExclusion();
  if (exclusion) {
    const allowed = (
      <>
        Your winnings stay yours. You can withdraw them when they are {formatCents(MIN_WITHDRAWAL_CENTS)} or more, and
        your purchase balance too: move it on <PageLink className="linkish" to="/protection" text="My Limits" />.
      </>
    );
    return <Notice tone="time" title={exclusionText(exclusion)} text={allowed} />;
  }
  const deposit = onDeposit && <Button className="linkish" text="Deposit Crypto" onClick={onDeposit} />;
  const withDeposit = (
    <>
      {text} {tone !== 'plain' && deposit}
    </>
  );
  return <Notice tone={tone} title={title} text={withDeposit} />;
}

function ReferralLink({ refCode }: { refCode: string }) {
  const link = referralUrl(refCode);
  return (
    <div>
      <Field
        label="My Referral Link"
        readOnly
        value={link}
        hint="While you are an active depositor, each token a direct referral buys pays you 3 cents, or 1 cent if they are more than seven levels below you."
        suffix={
          <Button
            icon={Copy}
            text="Copy"
            aria-label="Copy referral link"
            onClick={() => void copyText(link, 'Your referral link is on the clipboard.')}
          />
        }
        onFocus={(event) => event.target.select()}
      />
      <div className="actions mt-2">
        <ShareButton
          text="Share link"
          shareText="A live countdown game: the last buyer before zero takes the whole jackpot."
        />
      </div>
    </div>
  );
}

function TransferForm({ gamer, onDone }: { gamer: GamerProfile; onDone: () => void }) {
  const available = gamer.balances.currentWinningsCents;
  const { values, bind, fail, setProblems } = useFields({ amount: '' });
  const { run } = useCommand<TransferRequest>('POST', `/api/gamer/${gamer.id}/transfer-to-purchase`, {
    failureTitle: 'Transfer Failed',
    failureText: 'The transfer may have arrived. Press Transfer again: it cannot be made twice.',
  });
  const order = transferOf(values.amount, available);
  const movedCents = 'amountCents' in order ? order.amountCents : 0;
  const submit = async () => {
    if ('problem' in order) return fail(order.title, { amount: order.problem });
    const done = { title: 'Transferred', text: `${formatCents(order.amountCents)} is in your purchase balance.` };
    const failure = await run({ amountCents: order.amountCents }, done);
    if (failure === null) onDone();
    else setProblems({ amount: failure });
  };
  return (
    <Form onSubmit={submit}>
      <AmountField availableCents={available} {...bind('amount')} />
      <Pairs
        rows={[
          ['Winnings after this', formatCents(available - movedCents)],
          ['Purchase Balance after this', formatCents(gamer.wallet.purchaseBalanceCents + movedCents), 'total'],
        ]}
      />
      <Submit text={movedCents > 0 ? `Transfer ${formatCents(movedCents)}` : 'Transfer'} busy="Transferring…" />
      <p className="t14 dim">
        Transferred money can only buy tokens. You can move it back only in a time-out or self-exclusion.
      </p>
    </Form>
  );
}

type Depositor = Pick<GamerProfile, 'isDepositor' | 'depositorExpiresAt'>;

/** Active until the expiry, while the flag is set (specification §4). Days are rounded up; dates are New York's. */
export function depositorNotice({ isDepositor, depositorExpiresAt: until }: Depositor, nowMs: number) {
  if (until === null) {
    const text = 'Matrix winnings are paid to active depositors only. A deposit makes you one for 30 days.';
    return { tone: 'missing', title: 'Not a depositor yet.', text } as const;
  }
  if (isDepositor && nowMs <= until) {
    const title = `Depositor active, ${counted(daysLeft(until, nowMs), 'day')} left.`;
    const text = `Matrix winnings are paid to you until ${dayText(until)}. A new deposit starts another 30 days.`;
    return { tone: 'plain', title, text } as const;
  }
  const title = `Depositor status expired on ${dayText(Math.min(until, nowMs))}.`;
  return { tone: 'bad', title, text: 'Make a deposit to restore matrix payout eligibility.' } as const;
}

type TransferOrder = { amountCents: number } | { problem: string; title: 'Invalid Form' | 'Insufficient Funds' };

export function transferOf(text: string, winningsCents: number): TransferOrder {
  const amountCents = centsFromInput(text);
  const code = text.trim() === '' ? 'transfer-amount-required' : transferRefusal(amountCents, winningsCents);
  if (code === null) return { amountCents: amountCents ?? 0 };
  const title = code === 'transfer-exceeds-winnings' ? 'Insufficient Funds' : 'Invalid Form';
  return { problem: commaProblem(text) ?? refusalText({ code }), title };
}
