import * as limits from '../../../../contracts/limits.js';
import { useTerms, useTimers } from '../../shared/board.js';
import { sendingMs, useServerNow } from '../../shared/clock.js';
import { clockText, durationText, formatCents, numberText } from '../../shared/format.js';
import { PageLink } from '../../shared/ui/controls.js';

export function Rules() {
  const timers = useTimers();
  const { tokenPriceCents, tokenExtensionSeconds } = useTerms();
  const wait = durationText(timers.pregameDurationSeconds);
  const live = clockText(timers.liveDurationSeconds);
  return (
    <ul className="rules">
      <li>
        <b>{`It opens with ${durationText(timers.liveDurationSeconds)}`}</b>
        <span>{`After ${wait} of waiting, the clock starts at ${live}. A round that the admin forces open starts at 5 minutes.`}</span>
      </li>
      <li>
        <b>{`A token adds ${durationText(tokenExtensionSeconds)}`}</b>
        <span>{`${formatCents(tokenPriceCents)} each. Any gamer can buy any number while the clock runs.`}</span>
      </li>
      <li>
        <b>Zero decides</b>
        <span>The last buyer takes the whole jackpot. An outage decides nothing: the round goes on after it.</span>
      </li>
      <li>
        <b>A reset round has no winner</b>
        <span>
          The admin can reset a round. Its tokens are spent, uplines keep their shares, and the jackpot goes into the
          next round. The reason is on the <PageLink className="underline" to="/record" text="public record" />.
        </span>
      </li>
      <li>
        <b>Money in and out</b>
        <span>
          Deposits from ${limits.MIN_DEPOSIT_DOLLARS}, plus a fee of {limits.DEPOSIT_FEE_PERCENT} %. Withdrawals from{' '}
          {formatCents(limits.MIN_WITHDRAWAL_CENTS)}, processed manually in 24-48 hours. What you deposit can only buy
          tokens; what you win can be withdrawn.
        </span>
      </li>
    </ul>
  );
}

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
