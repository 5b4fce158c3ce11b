import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CryptoType } from '../../../contracts/crypto.js';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { WithdrawalId } from '../../../contracts/ids.js';
import { formatCents } from '../../../contracts/money.js';
import { isWalletAddress } from '../../../contracts/wallet-address.js';
import type { Payout, WithdrawalUpdate } from '../../../domain/ledger-commands.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Refused } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';

interface By {
  actor: Actor;
  commandId: string;
}

/** The session's gamer asks for winnings to be paid out; the admin, for profit. */
export class RequestWithdrawal extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly of: 'winnings' | 'profit',
    readonly payout: Payout,
    readonly by: By,
  ) {
    super();
  }
}

export class UpdateWithdrawal extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly of: 'winnings' | 'profit',
    readonly withdrawalId: WithdrawalId,
    readonly update: WithdrawalUpdate,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(RequestWithdrawal)
export class RequestWithdrawalHandler implements ICommandHandler<RequestWithdrawal> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ of, payout, by }: RequestWithdrawal) {
    mustBeAddress(payout.cryptoType, payout.walletAddress);
    const { position } = await this.ledger.execute(
      of === 'winnings'
        ? { type: 'RequestWithdrawal', gamerId: by.actor.id, payout }
        : { type: 'RequestProfitWithdrawal', payout },
      by,
    );
    const message = `Withdrawal of ${formatCents(payout.amountCents)} in ${payout.cryptoType} requested. Withdrawals are processed manually in 24-48 hours and cannot be reversed.`;
    return withPosition(position, { message });
  }
}

@CommandHandler(UpdateWithdrawal)
export class UpdateWithdrawalHandler implements ICommandHandler<UpdateWithdrawal> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ of, withdrawalId, update, by }: UpdateWithdrawal) {
    const type = of === 'winnings' ? 'UpdateWithdrawal' : 'UpdateProfitWithdrawal';
    const { position } = await this.ledger.execute({ type, withdrawalId, update }, by);
    return withPosition(position, { message: `The withdrawal is ${update.status}` });
  }
}

/** A mistyped address burns money: its checksum must be right. */
export function mustBeAddress(cryptoType: CryptoType, walletAddress: string): void {
  if (!isWalletAddress(cryptoType, walletAddress)) {
    throw new Refused({ code: 'invalid-wallet-address', parameters: { cryptoType } });
  }
}
