import { Link } from '@tanstack/react-router';
import {
  DIRECT_BONUS_CENTS,
  HOUSE_SHARE_CENTS,
  JACKPOT_SHARE_CENTS,
  LEVEL_SHARE_CENTS,
  MATRIX_DEPTH,
  TOKEN_PRICE_CENTS,
} from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { sendingMs, useServerNow } from '../../shared/clock.js';
import { numberText } from '../../shared/format.js';

/** Whole percents are rounded down where they are good news, so that no promise is too high. */
export function HonestOdds() {
  const matrixCents = LEVEL_SHARE_CENTS * MATRIX_DEPTH + DIRECT_BONUS_CENTS;
  const jackpotPercent = Math.floor((100 * JACKPOT_SHARE_CENTS) / TOKEN_PRICE_CENTS);
  const matrixPercent = Math.floor((100 * matrixCents) / TOKEN_PRICE_CENTS);
  const lossOfHundredDollarsCents = Math.ceil(10_000 * (1 - JACKPOT_SHARE_CENTS / TOKEN_PRICE_CENTS));
  return (
    <ul className="grid gap-4">
      <li>
        <b>A token costs {formatCents(TOKEN_PRICE_CENTS)}.</b> {JACKPOT_SHARE_CENTS} cents go to the jackpot,{' '}
        {matrixCents} to other gamers in the matrix or to the operator’s account for unclaimed cents, and{' '}
        {HOUSE_SHARE_CENTS} to the operator.
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
        <Link className="underline" to="/protection">
          Set limits or take a break
        </Link>
        .
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
