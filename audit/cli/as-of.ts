import type { LedgerAccount } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';
import { Auditor } from '../replay/auditor.js';
import { cents } from '../replay/finding.js';
import { type LedgerReader, ledgerOf } from '../replay/verify.js';

/** The auditor after this event, numbered from 1 on; null is the last one. Throws when the ledger is shorter. */
export async function auditorAsOf(log: LedgerReader, eventNumber: number | null): Promise<Auditor> {
  const auditor = new Auditor();
  for await (const recorded of ledgerOf(log)) {
    auditor.take(recorded);
    if (auditor.revision + 1 === eventNumber) return auditor;
  }
  if (eventNumber === null) return auditor;
  throw new Error(`The ledger has ${auditor.revision + 1} events, and none of number ${eventNumber}.`);
}

const heading = ({ revision, chain, at }: Auditor): string =>
  `As of event ${(revision + 1).toLocaleString('en-US')}, ${new Date(at).toISOString()}, chain ${chain}`;

const line = (name: string, value: string | number): string => `${name.padEnd(24)}${value}`;

/** The game, the gamers and the money as lines. */
export function* describeState(auditor: Auditor): Iterable<string> {
  const { phases, rounds, accounts, findingCount } = auditor;
  const { phase, endsAtEpochMs, timers } = phases;
  yield heading(auditor);
  yield line('phase', phase === 'idle' ? 'idle' : `${phase} until ${new Date(endsAtEpochMs).toISOString()}`);
  yield line('rounds opened', rounds.lastRoundId);
  yield line('rounds ended', rounds.ended.length);
  yield line('leader', rounds.leaderId ?? 'nobody');
  yield line('jackpot', cents(accounts.of('jackpot')));
  yield line('gamers', auditor.gamerCount);
  yield line('timers in force', Object.values(timers).join(', '));
  yield line('findings up to here', findingCount);
}

/** Every account of the operator and the world, and the gamers' two kinds of account in sum. The sum of all is zero. */
export function* describeTrialBalance(auditor: Auditor): Iterable<string> {
  const held = auditor.accounts.held();
  const sums = new Map<string, Cents>();
  for (const [account, amount] of held) sums.set(nameOf(account), (sums.get(nameOf(account)) ?? 0) + amount);
  const total = held.reduce((sum, [, amount]) => sum + amount, 0);
  yield heading(auditor);
  for (const [name, amount] of sums) yield line(name, cents(amount).padStart(16));
  yield line('sum', cents(total).padStart(16));
}

const nameOf = (account: LedgerAccount): string => account.replace(/^gamer:.*:(purchase|winnings)$/, 'gamers:$1');
