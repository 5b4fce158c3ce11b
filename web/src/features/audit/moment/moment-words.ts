import type { AuditRoundState } from '../../../../../contracts/http/audit.js';
import { secondsLeft } from '../../../shared/clock/countdown.js';
import { clockText } from '../../../shared/format/clock-text.js';

/** How the round stood at a moment, with the time it had left then: "round 37, live, 02:47 left". */
export function roundText(round: AuditRoundState | null, atEpochMs: number): string {
  if (round === null) return 'no round';
  const left = clockText(secondsLeft(round.endsAtEpochMs - atEpochMs));
  switch (round.phase) {
    case 'pregame':
      return `round ${round.roundId}, pregame, ${left} left`;
    case 'live':
      return `round ${round.roundId}, live, ${left} left`;
    case 'downtime':
      return `round ${round.roundId} over, ${left} to the next`;
  }
}

/** The event number that an address asks for; null is now, which also stands for what is no event of the ledger. */
export function chosenNumber(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) return null;
  return Number(text);
}
