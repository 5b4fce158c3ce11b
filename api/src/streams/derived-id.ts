import { createHash } from 'node:crypto';
import type { CommandId } from '../../../contracts/ids.js';

const LENGTH = 20;

/**
 * An id of ours (20 characters of [0-9a-z], about 103 bits) that is always the same for the same actor's same command:
 * a command that is repeated makes the same thing, not another one.
 */
export function derivedId({ actor, commandId }: { actor: { id: string }; commandId: CommandId }): string {
  const digest = createHash('sha256').update(`${actor.id} ${commandId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).padStart(LENGTH, '0').slice(-LENGTH);
}
