import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { formatCents } from '../../../../../contracts/money.js';
import { counted } from '../../../shared/format/clock-text.js';

/** What a change of role does (decision 35). */
export function roleText(role: AdminGamerRow['role'], gamerTag: string): string {
  return role === 'auditor'
    ? `${gamerTag} becomes an auditor, who reads the audit screens: every event, account and statement. They can change nothing, and open nothing else of the admin’s.`
    : `${gamerTag} is no auditor any more: the audit screens close for them. Their account, money and place in the matrix stay as they are.`;
}

/** What a deletion does (decisions 14, 38), a sentence for each thing that is lost. */
export function deletionTexts({ gamerTag, purchaseBalance, currentWinnings }: AdminGamerRow): string[] {
  const money =
    purchaseBalance === 0 && currentWinnings === 0
      ? 'They have no money here.'
      : `Their ${formatCents(purchaseBalance)} purchase balance and ${formatCents(currentWinnings)} winnings are forfeited to the house.`;
  return [
    `${gamerTag}’s account, email, saved wallets and support tickets are deleted, and their posts are blanked. They cannot log in again.`,
    money,
    'Their first child in the matrix takes their place with its team; the others move to free places under the grandparent, teams intact.',
    'The ledger keeps what they bought and won, without a name. This cannot be undone.',
  ];
}

/** What a deletion moved, for the toast. */
export const deletedText = (gamerTag: string, reassignedChildren: number): string =>
  reassignedChildren === 0
    ? `${gamerTag} is gone. Nobody had to move in the matrix.`
    : `${gamerTag} is gone. ${counted(reassignedChildren, 'gamer')} moved in the matrix.`;

/** The tag typed to confirm is the tag, letter for letter. */
export const isConfirmed = (typed: string, gamerTag: string): boolean => typed.trim() === gamerTag;
