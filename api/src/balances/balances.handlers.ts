import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { DepositorStatusResponse } from '../../../contracts/http/admin.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { GamerId } from '../../../contracts/ids.js';
import { formatCents } from '../../../contracts/money.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Ledger } from '../ledger/ledger.js';

interface By {
  actor: Actor;
  commandId: string;
}

export class TransferWinnings extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly gamerId: GamerId,
    readonly amountCents: number,
    readonly by: By,
  ) {
    super();
  }
}

export class AdjustBalance extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly gamerId: GamerId,
    readonly change: { purchaseCents: number; winningsCents: number; reason: string },
    readonly by: By,
  ) {
    super();
  }
}

export class SetDepositorStatus extends Command<WithPosition<DepositorStatusResponse>> {
  constructor(
    readonly gamerId: GamerId,
    readonly isDepositor: boolean,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(TransferWinnings)
export class TransferWinningsHandler implements ICommandHandler<TransferWinnings> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ gamerId, amountCents, by }: TransferWinnings) {
    const { position } = await this.ledger.execute({ type: 'TransferWinnings', gamerId, amountCents }, by);
    return withPosition(position, { message: `${formatCents(amountCents)} moved to your purchase balance` });
  }
}

@CommandHandler(AdjustBalance)
export class AdjustBalanceHandler implements ICommandHandler<AdjustBalance> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ gamerId, change, by }: AdjustBalance) {
    const { position } = await this.ledger.execute({ type: 'AdjustBalance', gamerId, ...change }, by);
    return withPosition(position, { message: 'The balances were adjusted' });
  }
}

@CommandHandler(SetDepositorStatus)
export class SetDepositorStatusHandler implements ICommandHandler<SetDepositorStatus> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ gamerId, isDepositor, by }: SetDepositorStatus) {
    const { events, position } = await this.ledger.execute({ type: 'SetDepositorStatus', gamerId, isDepositor }, by);
    const set = events[0]?.event;
    const expiresAt = set?.type === 'DepositorStatusSet' ? set.data.untilEpochMs : null;
    return withPosition(position, { isDepositor: expiresAt !== null, expiresAt });
  }
}
