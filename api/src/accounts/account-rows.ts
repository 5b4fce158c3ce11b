import { createHash } from 'node:crypto';
import { type RowSeals } from '../platform/row-seals.js';
import { SEALED_TABLES, type SealedRow } from '../platform/sealed-tables.js';
import type { Account } from './account.entity.js';

/** The fields that an account's seal covers; the time in microseconds since the epoch. `enrolled` is not sealed: the ledger decides who is enrolled. */
type AccountContent = Omit<Account, 'createdAt' | 'enrolled' | 'seal'> & { createdAt: number };

/** An account as read. */
export type AccountRow = SealedRow<AccountContent> & { enrolled: boolean };

export const SELECT_ACCOUNTS = `SELECT ${SEALED_TABLES.accounts.content} AS content, enrolled, seal FROM auth.accounts`;

export const isGenuine = (seals: RowSeals, row: AccountRow): boolean =>
  seals.isGenuine('accounts', row.content.gamerId, row);

export const accountOf = ({ content, enrolled }: AccountRow): Account => ({
  ...content,
  enrolled,
  createdAt: new Date(content.createdAt / 1_000),
});

/** A new account with its seal. */
export const sealed = (seals: RowSeals, account: Account): Account => ({
  ...account,
  seal: sealOf(seals, { ...account, createdAt: account.createdAt.getTime() * 1_000 }),
});

export function sealOf(seals: RowSeals, account: AccountContent): Buffer {
  const { gamerId, gamerTag, email, passwordHash, role, refCode, sponsorId, secondFactor, createdAt } = account;
  const content: AccountContent = {
    gamerId,
    gamerTag,
    email,
    passwordHash,
    role,
    refCode,
    sponsorId,
    secondFactor,
    createdAt,
  };
  return seals.of('accounts', content);
}

/** Marks a password without telling it: a session counts while the account has the password that opened it. */
export const passwordMarkOf = (passwordHash: string | null): string | null =>
  passwordHash === null ? null : createHash('sha256').update(passwordHash).digest('base64url').slice(0, 22);
