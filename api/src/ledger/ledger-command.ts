import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { LedgerEvents, LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { MessageResponse } from '../../../contracts/http/headers.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { BusCommand, WithPosition } from '../platform/bus-command.js';
import type { CommandResult } from './command-queue.js';
import { Ledger } from './ledger.js';

export type LedgerCommandOf<Type extends LedgerCommand['type']> = Extract<LedgerCommand, { type: Type }>;

/** The bus command and `Handler` of a ledger command: `check` may refuse; the response comes from the result. */
export function ledgerCommand<Type extends LedgerCommand['type'], Response>(
  type: Type,
  respond: (command: LedgerCommandOf<Type>, result: CommandResult) => Response,
  check: (command: LedgerCommandOf<Type>) => void = () => {},
) {
  class LedgerBusCommand extends BusCommand<Omit<LedgerCommandOf<Type>, 'type'>, Response> {}

  @CommandHandler(LedgerBusCommand)
  class Handler implements ICommandHandler<LedgerBusCommand> {
    constructor(private readonly ledger: Ledger) {}

    async execute({ fields, metadata }: LedgerBusCommand): Promise<WithPosition<Response>> {
      const command = { type, ...fields } as LedgerCommandOf<Type>;
      check(command);
      const result = await this.ledger.execute(command, metadata);
      return new WithPosition(result.position, respond(command, result));
    }
  }
  return Object.assign(LedgerBusCommand, { Handler });
}

/** A ledger command that responds with a message. */
export const ledgerMessage = <Type extends LedgerCommand['type']>(
  type: Type,
  textOf: (result: CommandResult, command: LedgerCommandOf<Type>) => string,
) => ledgerCommand(type, (command, result): MessageResponse => ({ message: textOf(result, command) }));

/** The data of the command's event of this type. Throws when the command was accepted without one. */
export function dataOf<T extends LedgerEventType>({ events }: CommandResult, type: T): LedgerEvents[T] {
  const found = events.find(({ event }) => event.type === type);
  if (!found) throw new Error(`the command was accepted without ${type}`);
  return found.event.data as LedgerEvents[T];
}
