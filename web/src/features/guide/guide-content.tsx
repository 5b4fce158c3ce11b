import { CalendarClock, Lightbulb, Link2, type LucideIcon, ScanLine, Sprout, UserPlus, Wallet } from 'lucide-react';
import * as limits from '../../../../contracts/limits.js';
import { phaseLabel, useBoardPart, useTerms, useTimers } from '../../shared/board.js';
import { knownRoundTripMs, useServerNow } from '../../shared/clock.js';
import { clockText, durationText, formatCents, numberText, range } from '../../shared/format.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import { useSession } from '../../shared/session.queries.js';
import { PageLink } from '../../shared/ui/controls.js';
import { Countdown } from '../../shared/ui/countdown.js';

/** Where the cents of a token go, by the round's terms: the matrix gets what neither the jackpot nor the house does. */
function useSplit() {
  const terms = useTerms();
  return { ...terms, matrixShareCents: terms.tokenPriceCents - terms.jackpotShareCents - terms.houseShareCents };
}

const MATRIX_TEXT = `${limits.LEVEL_SHARE_CENTS} cents to each of ${limits.MATRIX_DEPTH} levels above the buyer, ${limits.DIRECT_BONUS_CENTS} more to their sponsor.`;

export function SplitPicture() {
  const { tokenPriceCents, jackpotShareCents, matrixShareCents, houseShareCents } = useSplit();
  return (
    <ul className="split" aria-label={`Where the ${formatCents(tokenPriceCents)} of a token goes`}>
      <Share name="Jackpot" cents={jackpotShareCents} className="is-jackpot" text="The last buyer takes it all." />
      <Share name="Matrix" cents={matrixShareCents} className="is-matrix" text={MATRIX_TEXT} />
      <Share name="House" cents={houseShareCents} className="is-operator" text="Keeps the lights on." />
    </ul>
  );
}

type ShareProps = Record<'name' | 'className' | 'text', string> & { cents: number };
const Share = ({ name, cents, className, text }: ShareProps) => (
  <li className={className}>
    <span className="split-cents" aria-hidden="true">
      {range(1, cents).map((cent) => (
        <i key={cent} />
      ))}
    </span>
    <b className="num">{cents} cents</b>
    <b>{name}</b>
    <span className="t14 dim">{text}</span>
  </li>
);

export function LoopPicture() {
  const { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds, tokenExtensionSeconds } = useTimers();
  const phase = useBoardPart(({ gameState }) => gameState);
  const now = isDown(useConnection()) ? undefined : phase;
  const opens = `Opens with ${durationText(liveDurationSeconds)}. Each token adds ${durationText(tokenExtensionSeconds)}.`;
  const phases = [
    { phase: 'pregame', name: 'Pregame', text: `${durationText(pregameDurationSeconds)} to get ready.` },
    { phase: 'live', name: 'Live', text: opens },
    // Zero is an instant, so the game is never in this phase.
    { phase: null, name: 'Zero', text: 'The last buyer wins the jackpot.' },
    { phase: 'downtime', name: 'Downtime', text: `${durationText(downtimeDurationSeconds)}, then pregame again.` },
  ] as const;
  return (
    <ol className="loop">
      {phases.map(({ phase, name, text }) => {
        const isNow = phase === now;
        const className = `is-${name.toLowerCase()} ${isNow ? 'is-now' : ''}`;
        return (
          <li key={name} className={className} aria-current={isNow ? 'step' : undefined}>
            <i aria-hidden="true" />
            <b>
              {name} {isNow && <span className="chip chip--on">Now</span>}
            </b>
            <span className="t14 dim">{text}</span>
          </li>
        );
      })}
    </ol>
  );
}

const steps = [
  { Icon: Link2, name: 'Your link', text: 'You find it under My Winnings. Share it with anyone.' },
  { Icon: UserPlus, name: 'A gamer registers', text: 'They are placed in your matrix automatically, front row first.' },
  {
    Icon: Sprout,
    name: 'They buy tokens',
    text: `${limits.LEVEL_SHARE_CENTS + limits.DIRECT_BONUS_CENTS} cents a token to you, ${limits.LEVEL_SHARE_CENTS} from everyone else in your seven levels, while you are an active depositor.`,
  },
] as const;

export const ReferralPicture = () => (
  <ol className="chain">
    <IconItems items={steps} />
  </ol>
);

const tips = [
  {
    Icon: Lightbulb,
    name: 'Watch the last lamp',
    text: 'The brightest one is the newest purchase. Its owner wins at zero.',
  },
  {
    Icon: Wallet,
    name: 'Deposit before the round',
    text: 'Buying from your balance takes a second. A crypto payment takes minutes to confirm.',
  },
  {
    Icon: ScanLine,
    name: 'Send the exact amount',
    text: 'A wrong crypto deposit amount means a 24-72 hour manual review.',
  },
  {
    Icon: CalendarClock,
    name: 'Mind the 30 days',
    text: 'Matrix winnings are paid only to active depositors: for 30 days after their last deposit.',
  },
] as const;

export const GuideTips = () => (
  <ul className="tips">
    <IconItems items={tips} />
  </ul>
);

const IconItems = ({ items }: { items: readonly { Icon: LucideIcon; name: string; text: string }[] }) =>
  items.map(({ Icon, name, text }) => (
    <li key={name}>
      <Icon size={28} aria-hidden="true" />
      <b>{name}</b>
      <span className="t14 dim">{text}</span>
    </li>
  ));

/** The round of features/game/film.ts as a recorded film. It is fetched when somebody plays it. */
export const GuideVideo = () => (
  <video
    className="guide-video"
    controls
    playsInline
    preload="none"
    poster="/guide/film.jpg"
    width={960}
    height={540}
    aria-label="A round in half a minute"
  >
    <source src="/guide/film.webm" type="video/webm" />
    <source src="/guide/film.mp4" type="video/mp4" />
    <track default kind="captions" src="/guide/film.vtt" srcLang="en" label="English" />
  </video>
);

/** The phase that the game is in now, with the time left where the label asks for it. Screen readers hear no change. */
export function CurrentPhase() {
  const phase = useBoardPart(({ gameState, endsAtEpochMs }) => ({ gameState, endsAtEpochMs }));
  const isAdmin = useSession()?.role === 'admin';
  const isWaiting = phase?.gameState === 'idle' && !isAdmin;
  const known = phase === undefined ? 'Loading Game Status' : phaseLabel(phase.gameState);
  // "Click Start" is the admin's to do.
  const label = isWaiting ? 'Game Ready to Start' : known;
  const endsAtEpochMs = label.endsWith(':') ? (phase?.endsAtEpochMs ?? null) : null;
  return (
    <div className="mb-5">
      <p className="label">Right now</p>
      <p className="h3">
        <span>{label}</span> {endsAtEpochMs !== null && <Countdown className="time" endsAtMs={endsAtEpochMs} />}
      </p>
    </div>
  );
}

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
  const { tokenPriceCents, jackpotShareCents, matrixShareCents, houseShareCents } = useSplit();
  const jackpotPercent = Math.floor((100 * jackpotShareCents) / tokenPriceCents);
  const matrixPercent = Math.floor((100 * matrixShareCents) / tokenPriceCents);
  const lossOfHundredDollarsCents = Math.ceil(10_000 * (1 - jackpotShareCents / tokenPriceCents));
  return (
    <ul className="grid gap-4">
      <li>
        <b>A token costs {formatCents(tokenPriceCents)}.</b> {jackpotShareCents} cents go to the jackpot,{' '}
        {matrixShareCents} to other gamers in the matrix or to the operator’s account for unclaimed cents, and{' '}
        {houseShareCents} to the operator.
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
  const takesMs = knownRoundTripMs();
  if (takesMs === null) return <span>Your own delay is being measured.</span>;
  const takes = numberText(Math.ceil(takesMs));
  return <span>{`From where you are, a purchase usually takes up to ${takes} ms.`}</span>;
}
