import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { StartLiveResponse } from '../../../contracts/http/admin.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import type { WithPosition } from '../http/position.interceptor.js';
import { withPosition } from '../http/position.interceptor.js';
import { Ledger } from '../ledger/ledger.js';

interface By {
  actor: Actor;
  commandId: string;
}

export class StartGame extends Command<WithPosition<MessageResponse>> {
  constructor(readonly by: By) {
    super();
  }
}

export class ForceStartLive extends Command<WithPosition<StartLiveResponse>> {
  constructor(readonly by: By) {
    super();
  }
}

export class ResetGame extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly reason: string,
    readonly by: By,
  ) {
    super();
  }
}

export class ChangeTimers extends Command<WithPosition<TimerSettings>> {
  constructor(
    readonly timers: TimerSettings,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(StartGame)
export class StartGameHandler implements ICommandHandler<StartGame> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ by }: StartGame) {
    const { events, position } = await this.ledger.execute({ type: 'StartGame' }, by);
    const started = events.find(({ event }) => event.type === 'GameStarted')?.event;
    const roundId = started?.type === 'GameStarted' ? started.data.roundId : undefined;
    return withPosition(position, { message: `Round ${roundId} is starting` });
  }
}

@CommandHandler(ForceStartLive)
export class ForceStartLiveHandler implements ICommandHandler<ForceStartLive> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ by }: ForceStartLive) {
    const { events, position } = await this.ledger.execute({ type: 'ForceStartLive' }, by);
    const last = events.at(-1)?.event;
    if (last?.type !== 'LiveStarted') throw new Error('ForceStartLive was accepted without LiveStarted');
    const { roundId } = last.data;
    return withPosition(position, { message: `Round ${roundId} is live for 5 minutes`, roundId });
  }
}

@CommandHandler(ResetGame)
export class ResetGameHandler implements ICommandHandler<ResetGame> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ reason, by }: ResetGame) {
    const { position } = await this.ledger.execute({ type: 'ResetGame', reason }, by);
    return withPosition(position, { message: 'The game is idle' });
  }
}

@CommandHandler(ChangeTimers)
export class ChangeTimersHandler implements ICommandHandler<ChangeTimers> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ timers, by }: ChangeTimers) {
    const { position } = await this.ledger.execute({ type: 'ChangeTimers', timers }, by);
    return withPosition(position, timers);
  }
}
