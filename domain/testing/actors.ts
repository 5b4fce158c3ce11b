import type { Actor } from '../../contracts/events/metadata.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import type { CommandOf, LedgerCommand } from '../ledger/ledger-commands.js';

export const ADMIN: Actor = { id: 'admin', role: 'admin' };
const BY_SYSTEM: readonly LedgerCommand['type'][] = [
  'AdvanceClock',
  'CreditDeposit',
  'RecordDeposit',
  'SettleInvoice',
  'SetProtectionProfile',
  'AcceptLoss',
];
const BY_GAMER: readonly LedgerCommand['type'][] = [
  'EnrolGamer',
  'BuyTokens',
  'TransferWinnings',
  'RequestWithdrawal',
  'CancelWithdrawal',
  'ExcludeGamer',
  'ShareExclusion',
  'LiftExclusion',
  'ReleaseBalance',
  'SetLimits',
  'ConfirmLimits',
];

/** Who sends a command: the system, the gamer whom it is about, or the admin. */
export function actorOf(command: LedgerCommand): Actor {
  if (BY_SYSTEM.includes(command.type)) return SYSTEM;
  if (!BY_GAMER.includes(command.type)) return ADMIN;
  return { id: 'buyerId' in command ? command.buyerId : (command as CommandOf<'SetLimits'>).gamerId, role: 'gamer' };
}
