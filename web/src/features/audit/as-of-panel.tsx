import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import type { AuditRoundState, AuditRoundsResponse, AuditTrialBalance } from '../../../../contracts/http/audit.js';
import { secondsLeft } from '../../shared/clock.js';
import { clockText, dateTimeText, numberText, wholeFromInput } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';
import { fullTimeText } from './audit-parts.js';

interface AsOfPanelProps {
  rounds: AuditRoundsResponse;
  trialBalance: AuditTrialBalance | undefined;
  asOf: AsOf;
}

export function AsOfPanel({ rounds, trialBalance, asOf }: AsOfPanelProps) {
  const { shown } = asOf;
  const isLoaded = trialBalance?.number === shown;
  const time = trialBalance ? fullTimeText(trialBalance.atMs) : '…';
  return (
    <section className="as-of" aria-labelledby="audit-as-of">
      <div className="as-of-head">
        <div>
          <h1 className="label" id="audit-as-of">
            The ledger as of
          </h1>
          <p className={`fig num ${isLoaded ? 'time' : 'faint'}`}>{time}</p>
        </div>
        <p className="t14 dim">
          <span>{`Event ${numberText(shown)} of ${numberText(rounds.lastNumber)}`}</span>
          {isLoaded && <span>{`, ${describeRound(trialBalance.round, trialBalance.atMs)}`}</span>}
        </p>
      </div>
      <AsOfSlider asOf={asOf} rounds={rounds} timeText={isLoaded ? time : null} />
      <p className="ends" aria-hidden="true">
        <span>{dateTimeText(rounds.firstAtMs)}</span>
        <span>each mark is the end of a round</span>
        <span>now</span>
      </p>
      <Steps rounds={rounds} asOf={asOf} />
    </section>
  );
}

function Steps({ rounds: { rounds, lastNumber }, asOf }: Pick<AsOfPanelProps, 'rounds' | 'asOf'>) {
  const { shown, isNow, choose } = asOf;
  const previousRound = rounds.findLast(({ endedNumber }) => endedNumber < shown);
  const step = (number: number) => () => choose(number >= lastNumber ? null : number, 'step');
  const back = () => previousRound && choose(previousRound.endedNumber);
  const steps: [text: string, why: string | false, onPress: () => void][] = [
    ['Round before', !previousRound && 'No round ended before this event', back],
    ['Event before', shown <= 1 && 'This is the first event', step(shown - 1)],
    ['Event after', shown >= lastNumber && 'This is the last event', step(shown + 1)],
    ['Return to now', isNow && 'This is now', () => choose(null)],
  ];
  // Blocked, not disabled: the auditor may hold a key down until the last step.
  return (
    <div className="as-of-steps">
      {steps.map(([text, why, onPress]) => (
        <Button key={text} kind="line sm" text={text} blocked={why} onClick={onPress} />
      ))}
    </div>
  );
}

/** More marks would merge into a grey band on a phone. */
const MAX_MARKS = 120;

interface AsOfSliderProps extends Pick<AsOfPanelProps, 'rounds' | 'asOf'> {
  timeText: string | null;
}

function AsOfSlider({ rounds: { rounds, lastNumber }, asOf: { shown, slide }, timeText }: AsOfSliderProps) {
  const marksPath = useMemo(() => {
    const positions = markPositions(rounds, lastNumber, MAX_MARKS);
    return positions.map((position) => `M${(position * 1000).toFixed(1)} 12V26`).join('');
  }, [rounds, lastNumber]);
  return (
    <div className="slide" style={{ '--at': positionOf(shown, lastNumber) } as CSSProperties}>
      <svg className="ticks" viewBox="0 0 1000 30" preserveAspectRatio="none" aria-hidden="true">
        <path d={marksPath} stroke="var(--line-strong)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
      <input
        type="range"
        min={1}
        max={Math.max(1, lastNumber)}
        step={1}
        value={shown}
        aria-label="Moment in the ledger"
        aria-valuetext={`Event ${numberText(shown)}${timeText === null ? '' : `, ${timeText}`}`}
        onChange={(event) => slide(Number(event.target.value))}
      />
    </div>
  );
}

/** While the slider moves, the address changes, and requests are sent, only after a pause of this length. */
const SLIDE_PAUSE_MS = 150;

/** The event number in the address. Null is now, and so is a text that cannot be an event number. */
export const useRequestedNumber = (): number | null =>
  wholeFromInput((useSearch({ strict: false }) as { event?: string }).event ?? '');

export type Filters = { find: string; type: string; round: string };

export const withoutEmpty = (search: object) =>
  Object.fromEntries(Object.entries(search).filter(([, text]) => text !== ''));

export type AsOf = ReturnType<typeof useAsOf>;

/** The chosen event number and the filters are kept in the address (`?event=184219&type=RoundEnded`), so that a view can be linked. */
export function useAsOf(requested: number | null, lastNumber: number) {
  const navigate = useNavigate();
  const [sliding, setSliding] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const go = (number: number | null, replace: boolean, filters?: Filters) => {
    const search = (now: object) => withoutEmpty({ ...now, ...filters, event: number === null ? '' : String(number) });
    return navigate({ to: '/audit', search: search as never, replace, resetScroll: false });
  };
  const number = Math.min(requested ?? lastNumber, lastNumber);
  return {
    /** The screens show the ledger as of this event. */
    number,
    shown: sliding ?? number,
    isNow: requested === null,
    /** Null is now. A step adds no entry to the browser's history. */
    choose: (chosen: number | null, how?: 'step' | Filters) => {
      clearTimeout(timer.current);
      setSliding(null);
      void go(chosen, how === 'step', how === 'step' ? undefined : how);
    },
    slide: (chosen: number) => {
      setSliding(chosen);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        void go(chosen >= lastNumber ? null : chosen, true).then(() => setSliding(null));
      }, SLIDE_PAUSE_MS);
    },
  };
}

/** The round as of an event, with the time left then: "round 37, live, 02:47 left" */
export function describeRound(round: AuditRoundState | null, atMs: number): string {
  if (round === null) return 'no round';
  const left = clockText(secondsLeft(round.endsAtEpochMs - atMs));
  return round.phase === 'downtime'
    ? `round ${round.roundId} over, ${left} to the next`
    : `round ${round.roundId}, ${round.phase}, ${left} left`;
}

export const positionOf = (number: number, lastNumber: number): number =>
  lastNumber <= 1 ? 1 : (number - 1) / (lastNumber - 1);

/** The slider positions of the rounds' ends, on a grid of `count` steps, so that marks stay apart. */
export function markPositions(rounds: readonly { endedNumber: number }[], lastNumber: number, count: number): number[] {
  const steps = rounds.map(({ endedNumber }) => Math.round(positionOf(endedNumber, lastNumber) * count));
  return [...new Set(steps)].map((step) => step / count);
}
