import { Command } from '@nestjs/cqrs';
import type { CommandMetadata } from '../../../domain/ledger/ledger-commands.js';

/** A command's response together with the log position of the last event the command appended. */
export class WithPosition<T> {
  constructor(
    readonly position: string,
    readonly body: T,
  ) {}
}

/** A command on the CommandBus: its fields, the actor and the command id. `Response` is its handler's response. */
export abstract class BusCommand<Fields, Response> extends Command<WithPosition<Response>> {
  constructor(
    readonly fields: Fields,
    readonly metadata: CommandMetadata,
  ) {
    super();
  }
}
