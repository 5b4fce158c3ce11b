import { Link2, Sprout, UserPlus } from 'lucide-react';
import {
  DEFAULT_TIMERS,
  DIRECT_BONUS_CENTS,
  HOUSE_SHARE_CENTS,
  JACKPOT_SHARE_CENTS,
  LEVEL_CAPACITIES,
  LEVEL_SHARE_CENTS,
  MATRIX_DEPTH,
  TOKEN_PRICE_CENTS,
} from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { durationText } from '../../shared/format/clock-text.js';
import { oneTo } from '../../shared/format/one-to.js';

const LEVELS_CENTS = LEVEL_SHARE_CENTS * MATRIX_DEPTH;

const shares = [
  { name: 'Jackpot', cents: JACKPOT_SHARE_CENTS, look: 'is-jackpot', text: 'The last buyer takes it all.' },
  {
    name: 'Matrix',
    cents: LEVELS_CENTS + DIRECT_BONUS_CENTS,
    look: 'is-matrix',
    text: `${LEVEL_SHARE_CENTS} cents to each of ${MATRIX_DEPTH} levels above the buyer, ${DIRECT_BONUS_CENTS} more to their sponsor.`,
  },
  { name: 'House', cents: HOUSE_SHARE_CENTS, look: 'is-house', text: 'Keeps the lights on.' },
] as const;

/** A token as its thirty cents, each where it goes. */
export function SplitPicture() {
  return (
    <ul className="split" aria-label={`Where the ${formatCents(TOKEN_PRICE_CENTS)} of a token go`}>
      {shares.map(({ name, cents, look, text }) => (
        <li key={name} className={look}>
          <span className="split-cents" aria-hidden="true">
            {oneTo(cents).map((cent) => (
              <i key={cent} />
            ))}
          </span>
          <b className="num">{cents} cents</b>
          <b>{name}</b>
          <span className="t14 dim">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** The seven levels, each three times as wide as the one before; drawn on a scale that lets the first be seen. */
export function LevelsPicture() {
  const widest = Math.log(LEVEL_CAPACITIES[MATRIX_DEPTH - 1] ?? 1);
  return (
    <ol className="pyramid" aria-label="How many gamers each level holds">
      {LEVEL_CAPACITIES.map((capacity, place) => (
        <li key={capacity}>
          <span>L{place + 1}</span>
          <i aria-hidden="true" style={{ width: `${(Math.log(capacity) / widest) * 100}%` }} />
          <b className="num">{capacity.toLocaleString('en-US')}</b>
        </li>
      ))}
    </ol>
  );
}

/** The phases in their order, with the timers in force, and back to the first. */
export function LoopPicture() {
  const { data: board } = useBoard();
  const timers = board?.timers ?? DEFAULT_TIMERS;
  const phases = [
    { name: 'Pregame', text: `${durationText(timers.pregameDurationSeconds)} to get ready.`, look: 'is-pregame' },
    {
      name: 'Live',
      text: `Opens with ${durationText(timers.liveDurationSeconds)}. Each token adds ${durationText(timers.tokenExtensionSeconds)}.`,
      look: 'is-live',
    },
    { name: 'Zero', text: 'The last buyer wins the jackpot.', look: 'is-zero' },
    { name: 'Downtime', text: `${durationText(timers.downtimeDurationSeconds)}, then pregame again.`, look: 'is-down' },
  ] as const;
  return (
    <ol className="loop">
      {phases.map(({ name, text, look }) => (
        <li key={name} className={look}>
          <i aria-hidden="true" />
          <b>{name}</b>
          <span className="t14 dim">{text}</span>
        </li>
      ))}
    </ol>
  );
}

const steps = [
  { Icon: Link2, name: 'Your link', text: 'My Winnings holds it. Anyone may open it.' },
  { Icon: UserPlus, name: 'A gamer registers', text: 'They are seated in your matrix by themselves, front row first.' },
  {
    Icon: Sprout,
    name: 'They buy tokens',
    text: `${LEVEL_SHARE_CENTS + DIRECT_BONUS_CENTS} cents a token to you, ${LEVEL_SHARE_CENTS} from everyone else in your seven levels, while you are an active depositor.`,
  },
] as const;

/** From a link to cents, in three steps. */
export function ReferralPicture() {
  return (
    <ol className="chain">
      {steps.map(({ Icon, name, text }) => (
        <li key={name}>
          <Icon size={28} aria-hidden="true" />
          <b>{name}</b>
          <span className="t14 dim">{text}</span>
        </li>
      ))}
    </ol>
  );
}
