import { randomBytes } from 'node:crypto';
import type { Payout } from './records.js';

/** Verifies every batch. The real gateway mails a code, or takes the one of an authenticator app. */
export const PRACTICE_CODE = '123456';
const NEXT_STATUS: Record<string, string> = { WAITING: 'PROCESSING', PROCESSING: 'SENDING', SENDING: 'FINISHED' };

/** The next step of a verified payout; undefined for others. Its hash stands for the transfer that sent the coins. */
export function nextStep({ batch_withdrawal_id: batchId, status }: Payout): Partial<Payout> | undefined {
  const next = batchId === undefined ? undefined : NEXT_STATUS[status];
  if (next === undefined) return undefined;
  return next === 'SENDING' ? { status: next, hash: randomBytes(32).toString('hex') } : { status: next };
}
