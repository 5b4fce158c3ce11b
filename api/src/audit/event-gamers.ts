import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { AuditGamer } from '../../../contracts/http/audit.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { NameOf } from '../gamers/gamer-names.queries.js';

/** Whom an event is about; null where it is about no gamer. */
export function gamerOf({ event }: RecordedLedgerEvent): GamerId | null {
  switch (event.type) {
    case 'TokenPurchased':
    case 'TimeExtended':
      return event.data.buyerId;
    case 'RoundEnded':
      return event.data.winner?.gamerId ?? null;
    default:
      return 'gamerId' in event.data ? event.data.gamerId : null;
  }
}

/** Everybody whose name is needed to tell it. */
export function gamersIn(one: RecordedLedgerEvent): GamerId[] {
  const { event, metadata } = one;
  const named: (GamerId | null)[] = [gamerOf(one), metadata.actor.id === 'system' ? null : metadata.actor.id];
  if (event.type === 'TokenPurchased') named.push(...event.data.allocations.map(({ gamerId }) => gamerId));
  if (event.type === 'GamerEnrolled') named.push(event.data.sponsorId, event.data.parentId);
  if (event.type === 'GamerRemoved') {
    named.push(...event.data.moved.flatMap(({ gamerId, parentId }) => [gamerId, parentId]));
  }
  return named.filter((id) => id !== null);
}

export const named = (id: GamerId | null, nameOf: NameOf): AuditGamer | null =>
  id === null ? null : { id, gamerTag: nameOf(id) };
