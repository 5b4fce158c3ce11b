import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';
import type { Auditor } from './auditor.js';
import { cents } from './finding.js';
import type { Tables } from './tables.js';

/** Where the tables differ from what the log, replayed to the same position, says. */
export function differencesFrom(auditor: Auditor, tables: Tables): string[] {
  const held = new Map(auditor.accounts.held());
  return [
    ...accountsOf('balances', tables.balances, held),
    ...accountsOf('journal', tables.journal, held),
    ...winnersOf(auditor, tables),
  ];
}

/** An account that holds nothing may have a row or not. */
function accountsOf(
  table: string,
  rows: ReadonlyMap<LedgerAccount, Cents>,
  held: ReadonlyMap<LedgerAccount, Cents>,
): string[] {
  const accounts = [...new Set([...rows.keys(), ...held.keys()])].sort();
  return accounts.flatMap((account) => {
    const [inTable, inLog] = [rows.get(account) ?? 0, held.get(account) ?? 0];
    return inTable === inLog ? [] : [`${table}: ${account} is ${cents(inTable)}, and ${cents(inLog)} by the log`];
  });
}

function winnersOf({ rounds }: Auditor, { winners }: Tables): string[] {
  const won = rounds.ended.filter(({ winnerId }) => winnerId !== null);
  const known = new Set(won.map(({ roundId }) => roundId));
  const unknown = [...winners.keys()].filter((roundId) => !known.has(roundId));
  const different = won.flatMap(({ roundId, winnerId, jackpotCents, endedAtEpochMs }) => {
    const row = winners.get(roundId);
    const same =
      row?.winnerId === winnerId && row?.jackpotCents === jackpotCents && row?.endedAtEpochMs === endedAtEpochMs;
    if (same) return [];
    const inTable = row ? `${row.winnerId} with ${cents(row.jackpotCents)}` : 'nobody';
    return [
      `winners: round ${roundId} was won by ${inTable}, and by ${winnerId} with ${cents(jackpotCents)} by the log`,
    ];
  });
  return [...different, ...unknown.map((roundId) => `winners: round ${roundId} has no winner by the log`)];
}
