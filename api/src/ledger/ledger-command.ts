import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { LedgerEvents, LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { MessageResponse } from '../../../contracts/http/headers.js';
import type { CommandMetadata, CommandOf, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { WithPosition } from '../http/position.interceptors.js';
import type { CommandResult } from './command-queue.js';
import { Ledger } from './ledger.js';

/** The bus command and `Handler` of a ledger command: the response comes from the result. */
export function ledgerCommand<Type extends LedgerCommand['type'], ResponseBody>(
  type: Type,
  respond: (command: CommandOf<Type>, result: CommandResult) => ResponseBody,
) {
  class LedgerBusCommand extends Command<WithPosition<ResponseBody>> {
    constructor(
      readonly fields: Omit<CommandOf<Type>, 'type'>,
      readonly metadata: CommandMetadata,
    ) {
      super();
    }
  }

  @CommandHandler(LedgerBusCommand)
  class Handler implements ICommandHandler<LedgerBusCommand> {
    constructor(private readonly ledger: Ledger) {}

    async execute({ fields, metadata }: LedgerBusCommand): Promise<WithPosition<ResponseBody>> {
      const command = { type, ...fields } as CommandOf<Type>;
      const result = await this.ledger.execute(command, metadata);
      return new WithPosition(result.position, respond(command, result));
    }
  }
  return Object.assign(LedgerBusCommand, { Handler });
}

export const ledgerMessage = <Type extends LedgerCommand['type']>(
  type: Type,
  textOf: (command: CommandOf<Type>, result: CommandResult) => string,
) => ledgerCommand(type, (command, result): MessageResponse => ({ message: textOf(command, result) }));

/** The data of the command's event of this type. Throws when the command was accepted without one. */
export function dataOf<T extends LedgerEventType>({ events }: CommandResult, type: T): LedgerEvents[T] {
  const found = events.find(({ event }) => event.type === type);
  if (!found) throw new Error(`the command was accepted without ${type}`);
  return found.event.data as LedgerEvents[T];
}
