import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { DepositId } from '../../../contracts/ids.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Ledger } from '../ledger/ledger.js';
import type { By } from './settlement.js';

export class ApproveDeposit extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly depositId: DepositId,
    readonly by: By,
  ) {
    super();
  }
}

export class RejectDeposit extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly depositId: DepositId,
    readonly adminNotes: string | null,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(ApproveDeposit)
export class ApproveDepositHandler implements ICommandHandler<ApproveDeposit> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ depositId, by }: ApproveDeposit) {
    const { position } = await this.ledger.execute({ type: 'ApproveDeposit', depositId, gamerId: null }, by);
    return withPosition(position, { message: 'The deposit is approved' });
  }
}

@CommandHandler(RejectDeposit)
export class RejectDepositHandler implements ICommandHandler<RejectDeposit> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ depositId, adminNotes, by }: RejectDeposit) {
    const { position } = await this.ledger.execute({ type: 'RejectDeposit', depositId, adminNotes }, by);
    return withPosition(position, { message: 'The deposit is rejected' });
  }
}
