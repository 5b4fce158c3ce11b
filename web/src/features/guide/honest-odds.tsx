import * as limits from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { sendingMs, useServerNow } from '../../shared/clock.js';
import { numberText } from '../../shared/format.js';
import { PageLink } from '../../shared/ui/page-link.js';

/** Whole percents are rounded down where they are good news, so that no promise is too high. */
export function HonestOdds() {
  const matrixCents = limits.LEVEL_SHARE_CENTS * limits.MATRIX_DEPTH + limits.DIRECT_BONUS_CENTS;
  const jackpotPercent = Math.floor((100 * limits.JACKPOT_SHARE_CENTS) / limits.TOKEN_PRICE_CENTS);
  const matrixPercent = Math.floor((100 * matrixCents) / limits.TOKEN_PRICE_CENTS);
  const lossOfHundredDollarsCents = Math.ceil(10_000 * (1 - limits.JACKPOT_SHARE_CENTS / limits.TOKEN_PRICE_CENTS));
  return (
    <ul className="grid gap-4">
      <li>
        <b>A token costs {formatCents(limits.TOKEN_PRICE_CENTS)}.</b> {limits.JACKPOT_SHARE_CENTS} cents go to the
        jackpot, {matrixCents} to other gamers in the matrix or to the operator’s account for unclaimed cents, and{' '}
        {limits.HOUSE_SHARE_CENTS} to the operator.
      </li>
      <li>
        <b>Most tokens win nothing.</b> A round has one winner: the buyer of its last purchase. In a round of 1,000
        purchases, 999 win nothing, which is 99.9 percent.
      </li>
      <li>
        <b>{jackpotPercent} percent comes back as jackpots.</b> All gamers together get {jackpotPercent} cents of each
        dollar played in jackpots. Up to {matrixPercent} cents more go to uplines who are active depositors. A gamer
        without a downline who plays $100.00 again and again loses {formatCents(lossOfHundredDollarsCents)} of it on
        average. More purchases do not change that, and no result depends on the rounds before it.
      </li>
      <li>
        <b>Distance counts.</b> A purchase counts when it reaches the server before zero. Gamers near the server can buy
        later than gamers far away. <OwnDelay />
      </li>
      <li>
        <b>It is a game, not an income.</b> Play only with money that you can lose.{' '}
        <PageLink className="underline" to="/protection" text="Set limits or take a break" />.
      </li>
    </ul>
  );
}

function OwnDelay() {
  useServerNow(1_000);
  const takesMs = sendingMs();
  if (takesMs === null) return <span>Your own delay is being measured.</span>;
  const takes = numberText(Math.ceil(takesMs));
  return <span>{`From where you are, a purchase usually takes up to ${takes} ms.`}</span>;
}
