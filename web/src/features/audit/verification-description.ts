import type { AuditVerdict, AuditVerification } from '../../../../contracts/http/audit.js';
import { counted, numberText } from '../../shared/format.js';
import { fullTimeText } from './audit-parts.js';

interface VerificationDescription {
  tone: 'plain' | 'good' | 'bad';
  headline: string;
  details: string[];
  button: string | null;
}

export function describeVerification(
  { state, startedAtEpochMs, finishedAtEpochMs, verdict }: AuditVerification,
  nowEpochMs: number,
): VerificationDescription {
  const when = (epochMs: number | null) => (epochMs === null ? '' : ` ${fullTimeText(epochMs, nowEpochMs)}`);
  switch (state) {
    case 'never': {
      const headline = 'Not verified on this server yet';
      const details = ['It replays the whole log and compares the tables with it'];
      return { tone: 'plain', headline, details, button: 'Verify now' };
    }
    case 'running': {
      const headline = `Verifying since${when(startedAtEpochMs)}`;
      return { tone: 'plain', headline, details: ['the whole log is replayed'], button: null };
    }
    case 'failed': {
      const headline = 'The verification did not finish';
      const details = [`stopped${when(finishedAtEpochMs)}; it proves nothing about the ledger`];
      return { tone: 'bad', headline, details, button: 'Verify again' };
    }
    case 'done': {
      const { tone, headline, details } = describeVerdict(verdict);
      return { tone, headline, details: [...details, `checked${when(finishedAtEpochMs)}`], button: 'Verify again' };
    }
  }
}

function describeVerdict(verdict: AuditVerdict | null): Omit<VerificationDescription, 'button'> {
  if (verdict === null) return { tone: 'bad', headline: 'Verified, without a verdict', details: [] };
  const { events, findingCount, comparedEvents } = verdict;
  const replayed = `${counted(events, 'event')} replayed`;
  if (findingCount > 0) {
    const headline = `${counted(findingCount, 'finding')}: the ledger or its tables are wrong`;
    return { tone: 'bad', headline, details: [replayed] };
  }
  const details = [replayed, 'chain unbroken', `${counted(verdict.heads, 'signed head')} compared`];
  // Empty tables do not count as agreeing.
  if (!comparedEvents)
    return { tone: 'good', headline: 'The ledger is sound to the cent', details: [...details, 'no tables to compare'] };
  if (comparedEvents < events) details.push(`tables as of event ${numberText(comparedEvents)}`);
  return { tone: 'good', headline: 'Ledger and tables agree to the cent', details };
}
