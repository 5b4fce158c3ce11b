import { Check, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type * as http from '../../../../contracts/http/audit.js';
import type { StatementAccount } from '../../../../contracts/http/statements.js';
import { shortened } from '../../shared/files.js';
import { counted, dayText, formatCents, inNewYork, numberText } from '../../shared/format.js';

export function CheckLine({ holds, children }: { holds: boolean; children: ReactNode }) {
  const Icon = holds ? Check : CircleAlert;
  return (
    <p className={holds ? 'check' : 'check bad'} role={holds ? undefined : 'alert'}>
      <Icon size={18} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

export const Hash = ({ of }: { of: string }) => (
  <span className="code whitespace-nowrap" title={of}>
    {shortened(of)}
  </span>
);

export const SumRow = ({ sumCents }: { sumCents: number }) => (
  <tr>
    <td>Sum</td>
    <td className={`r num ${sumCents === 0 ? '' : 'bad'}`}>{amountText(sumCents)}</td>
  </tr>
);

const SECOND = { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
/** The day and the time; only the time when the day is that of `nowMs`. */
const withDay = (timeText: (epochMs: number) => string) => (epochMs: number, nowMs?: number) => {
  const isToday = nowMs !== undefined && dayText(epochMs) === dayText(nowMs);
  return isToday ? timeText(epochMs) : `${dayText(epochMs)}, ${timeText(epochMs)}`;
};
export const fullTimeText = withDay(inNewYork(SECOND));
/** "Oct 14, 2025, 9:14:07.316 PM EDT", because events may be milliseconds apart */
export const exactTimeText = withDay(inNewYork({ ...SECOND, fractionalSecondDigits: 3 }));

/** "21,406.80" or "−0.60", with a minus sign as wide as a digit */
export const amountText = (cents: number): string => `${cents < 0 ? '−' : ''}${formatCents(Math.abs(cents)).slice(1)}`;
export const signedText = (cents: number): string => `${cents > 0 ? '+' : ''}${amountText(cents)}`;

/** The ledger's account name. The trial balance sums the gamers' accounts, so these are named in words. */
export const accountName = (account: http.TrialBalanceAccount): string => {
  if (account === 'gamers:purchase') return 'gamers, purchase balances';
  return account === 'gamers:winnings' ? 'gamers, winnings' : account;
};

export const isOfGamer = (account: StatementAccount): account is 'purchase' | 'winnings' =>
  account === 'purchase' || account === 'winnings';

/** "ada_west, winnings" or "house:profit" */
export const statementName = (account: StatementAccount, gamerTag: string | null): string =>
  isOfGamer(account) ? `${gamerTag ?? 'nobody'}, ${account === 'purchase' ? 'purchase balance' : 'winnings'}` : account;

const roles = {
  gamer: 'as a gamer',
  admin: 'as the admin',
  auditor: 'as an auditor',
  operator: 'as an operator',
  system: 'the system',
} as const;

/** The sender of an event's command: "nova_kid, as a gamer" or "the system" */
export function describeActor({ gamer, role }: http.AuditEvent['by']): string {
  if (gamer === null && role === 'system') return roles.system;
  return `${gamer?.gamerTag ?? 'somebody'}, ${roles[role]}`;
}

interface VerificationDescription {
  tone: 'plain' | 'good' | 'bad';
  headline: string;
  details: string[];
  button: string | null;
}

export function describeVerification(
  { state, startedAtMs, finishedAtMs, verdict }: http.AuditVerification,
  nowMs: number,
): VerificationDescription {
  const when = (epochMs: number | null) => (epochMs === null ? '' : ` ${fullTimeText(epochMs, nowMs)}`);
  switch (state) {
    case 'never': {
      const headline = 'Not verified on this server yet';
      const details = ['It replays the whole log and compares the tables with it'];
      return { tone: 'plain', headline, details, button: 'Verify now' };
    }
    case 'running': {
      const headline = `Verifying since${when(startedAtMs)}`;
      return { tone: 'plain', headline, details: ['the whole log is replayed'], button: null };
    }
    case 'failed': {
      const headline = 'The verification did not finish';
      const details = [`stopped${when(finishedAtMs)}; it proves nothing about the ledger`];
      return { tone: 'bad', headline, details, button: 'Verify again' };
    }
    case 'done': {
      const { tone, headline, details } = describeVerdict(verdict);
      return { tone, headline, details: [...details, `checked${when(finishedAtMs)}`], button: 'Verify again' };
    }
  }
}

function describeVerdict(verdict: http.AuditVerdict | null): Omit<VerificationDescription, 'button'> {
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
