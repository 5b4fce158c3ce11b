import type { LedgerEvents, LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { MessageResponse } from '../../../contracts/http/headers.js';
import { WithPosition } from '../platform/with-position.js';
import type { CommandResult } from './command-queue.js';

/** The response that `respond` makes of a command's result, with the position of its last event. */
export async function answer<Response>(
  executed: Promise<CommandResult>,
  respond: (result: CommandResult) => Response,
): Promise<WithPosition<Response>> {
  const result = await executed;
  return new WithPosition(result.position, respond(result));
}

export const answerMessage = (executed: Promise<CommandResult>, textOf: (result: CommandResult) => string) =>
  answer(executed, (result): MessageResponse => ({ message: textOf(result) }));

/** The data of the command's event of this type. Throws when the command was accepted without one. */
export function dataOf<T extends LedgerEventType>({ events }: CommandResult, type: T): LedgerEvents[T] {
  const found = events.find(({ event }) => event.type === type);
  if (!found) throw new Error(`the command was accepted without ${type}`);
  return found.event.data as LedgerEvents[T];
}
