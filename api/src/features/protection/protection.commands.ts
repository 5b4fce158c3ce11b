import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { type ExclusionKind, LIMIT_KINDS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { exclusionText } from '../../../../contracts/refusals.js';
import { Ledger } from '../../ledger/ledger.js';
import { dataOf, ledgerMessage } from '../../ledger/ledger-command.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { EmailLinks } from '../gamers/email-links.js';
import { ExcludedMailboxes } from '../gamers/excluded-mailboxes.store.js';

export class ExcludeGamer extends BusCommand<
  { gamerId: GamerId; kind: ExclusionKind; days: number },
  MessageResponse
> {}

const WHY_CONFIRM =
  'is excluded at Omni Jackpot. Once you confirm this email, the exclusion holds for your other accounts with this mailbox, and nobody can register another one.';

/**
 * Bars a confirmed mailbox before the exclusion, so that a crash in between leaves nothing undone. One that is not confirmed is
 * barred once its reader follows the link.
 */
@CommandHandler(ExcludeGamer)
export class ExcludeGamerHandler implements ICommandHandler<ExcludeGamer> {
  constructor(
    private readonly mailboxes: ExcludedMailboxes,
    private readonly emailLinks: EmailLinks,
    private readonly ledger: Ledger,
  ) {}

  async execute({ fields, metadata }: ExcludeGamer): Promise<WithPosition<MessageResponse>> {
    const { gamerId } = fields;
    await this.mailboxes.remember(gamerId);
    const result = await this.ledger.execute({ type: 'ExcludeGamer', ...fields }, metadata);
    // The mailbox may have been confirmed meanwhile.
    await this.mailboxes.remember(gamerId);
    await this.mailboxes.excludeOthers(gamerId, metadata.commandId);
    this.emailLinks.sendForOwn(gamerId, WHY_CONFIRM);
    return new WithPosition(result.position, { message: exclusionText(dataOf(result, 'GamerExcluded')) });
  }
}

export const LiftExclusion = ledgerMessage('LiftExclusion', () => 'You can play again in 24 hours');

export const ReleaseBalance = ledgerMessage('ReleaseBalance', (result) => {
  const { amountCents } = dataOf(result, 'BalanceReleased');
  return `${formatCents(amountCents)} can be withdrawn with your winnings now`;
});

/** Says which limits hold at once, and when the higher ones can be confirmed. */
export const SetLimits = ledgerMessage('SetLimits', (result) => {
  const { limits, wanted } = dataOf(result, 'LimitsSet');
  const hasLimits = LIMIT_KINDS.some((kind) => Object.values(limits[kind]).some((cents) => cents !== null));
  const message = hasLimits ? 'Your limits hold from now on' : 'No limit is set';
  const later = '; the higher ones once you confirm them, in 24 hours at the earliest';
  return wanted ? message + later : message;
});

export const ConfirmLimits = ledgerMessage('ConfirmLimits', () => 'Your higher limits hold from now on');
