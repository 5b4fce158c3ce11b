import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { LedgerEvents, LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { MessageResponse } from '../../../contracts/http/headers.js';
import type { CommandMetadata, CommandOf, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { WithPosition } from '../platform/with-position.js';
import type { CommandResult } from './command-queue.js';
import { Ledger } from './ledger.js';

/** A ledger command on the bus, with its response. */
abstract class LedgerBusCommand<Fields = unknown, Response = unknown> extends Command<WithPosition<Response>> {
  constructor(
    readonly fields: Fields,
    readonly metadata: CommandMetadata,
  ) {
    super();
  }

  abstract executeOn(ledger: Ledger): Promise<WithPosition<Response>>;
}

/** Handles the commands of all classes that `ledgerCommand` makes: the bus finds it by their base class. */
@CommandHandler(LedgerBusCommand)
export class LedgerCommandHandler implements ICommandHandler<LedgerBusCommand> {
  constructor(private readonly ledger: Ledger) {}

  execute(command: LedgerBusCommand): Promise<WithPosition<unknown>> {
    return command.executeOn(this.ledger);
  }
}

/** The bus command of a ledger command: `check` may refuse; the response comes from the result. */
export const ledgerCommand = <Type extends LedgerCommand['type'], Response>(
  type: Type,
  respond: (command: CommandOf<Type>, result: CommandResult) => Response,
  check: (command: CommandOf<Type>) => void = () => {},
) =>
  class extends LedgerBusCommand<Omit<CommandOf<Type>, 'type'>, Response> {
    async executeOn(ledger: Ledger): Promise<WithPosition<Response>> {
      const command = { type, ...this.fields } as CommandOf<Type>;
      check(command);
      const result = await ledger.execute(command, this.metadata);
      return new WithPosition(result.position, respond(command, result));
    }
  };

/** A ledger command that responds with a message. */
export const ledgerMessage = <Type extends LedgerCommand['type']>(
  type: Type,
  textOf: (result: CommandResult, command: CommandOf<Type>) => string,
) => ledgerCommand(type, (command, result): MessageResponse => ({ message: textOf(result, command) }));

/** The data of the command's event of this type. Throws when the command was accepted without one. */
export function dataOf<T extends LedgerEventType>({ events }: CommandResult, type: T): LedgerEvents[T] {
  const found = events.find(({ event }) => event.type === type);
  if (!found) throw new Error(`the command was accepted without ${type}`);
  return found.event.data as LedgerEvents[T];
}
