import { createHash, randomUUID } from 'node:crypto';
import type { CommandMetadata } from '../../../domain/ledger/ledger-commands.js';

/** Ids have 20 characters of [0-9a-z]: of a random UUID about 97 random bits, of a hash 103. */
const idOf = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(20, '0').slice(-20);

export const newId = (): string => idOf(randomUUID().replaceAll('-', ''));

/** An id derived from actor and command id: a repeated command creates the same entity, not another one. */
export const derivedId = ({ actor, commandId }: CommandMetadata): string =>
  idOf(createHash('sha256').update(`${actor.id} ${commandId}`).digest('hex'));
