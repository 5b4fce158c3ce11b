import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { useServerNow } from '../../shared/clock/use-server-now.js';
import { counted } from '../../shared/format/clock-text.js';
import { Notice } from '../../shared/ui/notice.js';
import { depositorStatus } from './depositor.js';

/** Whether matrix winnings are paid to this gamer, and until when. */
export function DepositorBanner({ gamer, onDeposit }: { gamer: GamerProfile; onDeposit: (() => void) | null }) {
  const status = depositorStatus(gamer, useServerNow(60_000));
  switch (status.state) {
    case 'active':
      return (
        <Notice tone="time" title={`Depositor active, ${counted(status.daysLeft, 'day')} left.`}>
          Matrix winnings are paid to you until {status.until}. A deposit starts 30 new days.
        </Notice>
      );
    case 'expired':
      return (
        <Notice tone="bad" title={`Depositor expired on ${status.since}.`}>
          Make a deposit to restore matrix payout eligibility. <DepositLink onDeposit={onDeposit} />
        </Notice>
      );
    case 'never':
      return (
        <Notice tone="time" title="Not a depositor yet.">
          Matrix winnings are paid to active depositors. A deposit starts 30 days. <DepositLink onDeposit={onDeposit} />
        </Notice>
      );
  }
}

function DepositLink({ onDeposit }: { onDeposit: (() => void) | null }) {
  if (onDeposit === null) return null;
  return (
    <button type="button" className="linkish" onClick={onDeposit}>
      Deposit Crypto
    </button>
  );
}
