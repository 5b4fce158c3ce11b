import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { useServerNow } from '../../shared/clock/use-server-now.js';
import { counted } from '../../shared/format/clock-text.js';
import { Notice } from '../../shared/ui/notice.js';
import { depositorStatus } from './depositor.js';

/** Whether matrix winnings are paid to this gamer, and until when. */
export function DepositorBanner({ gamer }: { gamer: GamerProfile }) {
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
          Make a deposit to restore matrix payout eligibility
        </Notice>
      );
    case 'never':
      return (
        <Notice tone="time" title="Not a depositor yet.">
          Matrix winnings are paid to active depositors. A deposit starts 30 days.
        </Notice>
      );
  }
}
