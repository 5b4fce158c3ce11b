import { type Actor, SYSTEM } from '../../contracts/events/metadata.js';
import { words } from '../../contracts/words.js';
import type { CommandOf, LedgerCommand } from '../ledger/ledger-commands.js';

export const ADMIN: Actor = { id: 'admin', role: 'admin' };
const BY_SYSTEM: readonly LedgerCommand['type'][] = words(
  'AdvanceClock CreditDeposit RecordDeposit SettleInvoice SetProtectionProfile AcceptLoss RecordPayoutOutcome',
);
const BY_GAMER: readonly LedgerCommand['type'][] = [
  ...words('EnrolGamer BuyTokens TransferWinnings RequestWithdrawal CancelWithdrawal'),
  ...words('ExcludeGamer ShareExclusion LiftExclusion ReleaseBalance SetLimits ConfirmLimits'),
];

/** The sender of a command: the system, the gamer that it names, or the admin. */
export function actorOf(command: LedgerCommand): Actor {
  if (BY_SYSTEM.includes(command.type)) return SYSTEM;
  if (!BY_GAMER.includes(command.type)) return ADMIN;
  return { id: 'buyerId' in command ? command.buyerId : (command as CommandOf<'SetLimits'>).gamerId, role: 'gamer' };
}
