import { Check, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AuditEvent, TrialBalanceAccount } from '../../../../contracts/http/audit.js';
import type { StatementAccount } from '../../../../contracts/http/statements.js';
import { shortened } from '../../shared/files.js';
import { dayText, formatCents, inNewYork } from '../../shared/format.js';

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
    {shortened(of, 6)}
  </span>
);

export const SumRow = ({ sumCents }: { sumCents: number }) => (
  <tr>
    <td>Sum</td>
    <td className={`r num ${sumCents === 0 ? '' : 'bad'}`}>{amountText(sumCents)}</td>
  </tr>
);

const SECOND = { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
/** The day and the time; only the time when the day is that of `nowEpochMs`. */
const withDay = (timeText: (epochMs: number) => string) => (epochMs: number, nowEpochMs?: number) => {
  const isToday = nowEpochMs !== undefined && dayText(epochMs) === dayText(nowEpochMs);
  return isToday ? timeText(epochMs) : `${dayText(epochMs)}, ${timeText(epochMs)}`;
};
export const fullTimeText = withDay(inNewYork(SECOND));
/** "Oct 14, 2025, 9:14:07.316 PM EDT", because events may be milliseconds apart */
export const exactTimeText = withDay(inNewYork({ ...SECOND, fractionalSecondDigits: 3 }));

/** "21,406.80" or "−0.60", with a minus sign as wide as a digit */
export const amountText = (cents: number): string => `${cents < 0 ? '−' : ''}${formatCents(Math.abs(cents)).slice(1)}`;
export const signedText = (cents: number): string => `${cents > 0 ? '+' : ''}${amountText(cents)}`;

/** The ledger's account name. The trial balance sums the gamers' accounts, so these are named in words. */
export const accountName = (account: TrialBalanceAccount): string => {
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
export function describeActor({ gamer, role }: AuditEvent['by']): string {
  if (gamer === null && role === 'system') return roles.system;
  return `${gamer?.gamerTag ?? 'somebody'}, ${roles[role]}`;
}
