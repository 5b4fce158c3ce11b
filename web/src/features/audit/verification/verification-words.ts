import type { AuditVerdict, AuditVerification } from '../../../../../contracts/http/audit.js';
import { counted } from '../../../shared/format/clock-text.js';
import { dayText, shortDayText } from '../../../shared/format/time-text.js';
import { numberText, secondText } from '../audit-words.js';

export interface VerificationWords {
  tone: 'plain' | 'good' | 'bad';
  headline: string;
  details: string[];
  /** On the button that starts one; null while one runs. */
  button: string | null;
}

/** What the strip at the top says of the auditor's own replay. */
export function verificationWords(
  { state, startedAtEpochMs, finishedAtEpochMs, verdict }: AuditVerification,
  nowEpochMs: number,
): VerificationWords {
  const when = (epochMs: number | null) => (epochMs === null ? '' : ` ${timeText(epochMs, nowEpochMs)}`);
  switch (state) {
    case 'never':
      return {
        tone: 'plain',
        headline: 'Not verified on this server yet',
        details: ['It replays the whole log and holds the tables against it'],
        button: 'Verify now',
      };
    case 'running':
      return {
        tone: 'plain',
        headline: `Verifying since${when(startedAtEpochMs)}`,
        details: ['the whole log is replayed'],
        button: null,
      };
    case 'failed':
      return {
        tone: 'bad',
        headline: 'The verification did not come to its end',
        details: [`broke off${when(finishedAtEpochMs)}; it says nothing about the books`],
        button: 'Verify again',
      };
    case 'done':
      return {
        ...verdictWords(verdict),
        button: 'Verify again',
        details: [...verdictWords(verdict).details, `checked${when(finishedAtEpochMs)}`],
      };
  }
}

function verdictWords(verdict: AuditVerdict | null): Pick<VerificationWords, 'tone' | 'headline' | 'details'> {
  if (verdict === null) return { tone: 'bad', headline: 'Verified, without a verdict', details: [] };
  const replayed = `${counted(verdict.events, 'event')} replayed`;
  if (verdict.findingCount > 0)
    return {
      tone: 'bad',
      headline: `${counted(verdict.findingCount, 'finding')}: the books are not as they must be`,
      details: [replayed],
    };
  // Tables that have seen nothing yet agree with nothing.
  if (verdict.comparedEvents === 0)
    return {
      tone: 'good',
      headline: 'The ledger is sound to the cent',
      details: [replayed, 'chain unbroken', 'no tables to compare'],
    };
  const compared =
    verdict.comparedEvents < verdict.events ? [`tables as of event ${numberText(verdict.comparedEvents)}`] : [];
  return {
    tone: 'good',
    headline: 'Ledger and tables agree to the cent',
    details: [replayed, 'chain unbroken', ...compared],
  };
}

/** h:mm:ss PM; of another day than today with that day. */
function timeText(epochMs: number, nowEpochMs: number): string {
  const isToday = dayText(epochMs) === dayText(nowEpochMs);
  return isToday ? secondText(epochMs) : `${shortDayText(epochMs)}, ${secondText(epochMs)}`;
}
