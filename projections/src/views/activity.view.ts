import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import { gamerStream, postStream, ticketStream } from '../../../contracts/streams.js';
import { initialGame } from '../../../domain/game.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertEntities, insertRows, texts } from '../sql-rows.js';
import { memoryKeyOf, reasonOf, subjectOf, valueAfter } from './activity-events.js';
import { type ActivityBefore, ActivityRow } from './tables.entity.js';
import { type Batch, type Projected, type View } from './view.js';

/**
 * The admins' activity log: every event of an admin's command, with the value before it where the event does not hold it.
 * Events in a gamer's stream, or in the stream of a gamer's ticket or post, are deleted with the gamer (decision 38), as
 * the log deletes them.
 */
export const activityView: View = {
  name: 'activity',
  version: 1,
  tables: ['activity', 'activity_memory'],
  ddl: `${createTable(ActivityRow)}
    CREATE INDEX activity_newest ON activity (position DESC, id);
    CREATE INDEX activity_personal ON activity (gamer_id) WHERE is_personal;
    CREATE TABLE activity_memory (key text PRIMARY KEY, gamer_id text, value jsonb NOT NULL);
    CREATE INDEX activity_memory_personal ON activity_memory (gamer_id) WHERE gamer_id IS NOT NULL`,

  async apply(batch, db) {
    const events = batch.events.filter(isRelevant);
    if (events.length === 0) return;
    const fold = new ActivityFold(await memoryFor(events, db));
    for (const projected of events) fold.add(projected);
    await deleteRemoved(batch, db);
    await insertEntities(db, ActivityRow, fold.rows);
    await saveMemory(fold, db);
  },
};

/** Events of the admin's account that the bootstrap creates, not the admin. */
const BY_BOOTSTRAP = new Set<OurEvent['type']>(['GamerRegistered', 'GamerEnrolled']);

const isActivity = ({ event, metadata }: Projected): boolean =>
  (metadata.actor.role === 'admin' || (metadata.actor.role === 'operator' && !OWN_EVENTS.has(event.type))) &&
  !BY_BOOTSTRAP.has(event.type);

/** An operator is a gamer too: their tickets, limits and addresses are not an operator's acts. */
const OWN_EVENTS = new Set<OurEvent['type']>([
  'TicketOpened',
  'PostPublished',
  'WalletSaved',
  'WinningsTransferred',
  'GamerExcluded',
  'ExclusionLifted',
  'BalanceReleased',
  'LimitsSet',
  'LimitsConfirmed',
  'PasswordChanged',
  'GamerRenamed',
  'EmailChanged',
]);

const isRelevant = (projected: Projected): boolean =>
  projected.event.type === 'GamerRemoved' || memoryKeyOf(projected.event) !== null || isActivity(projected);

/** Prefixes of streams that are deleted with their gamer. */
const PERSONAL_STREAMS = [gamerStream(''), ticketStream(''), postStream('')];

const isPersonal = ({ stream }: Projected): boolean => PERSONAL_STREAMS.some((prefix) => stream.startsWith(prefix));

const removedKey = (gamerId: GamerId): string => `removed ${gamerId}`;

/** The value before the first event of its key. */
const initialValue = ({ type }: OurEvent): ActivityBefore | null =>
  type === 'TimersChanged' ? { timers: initialGame.timers } : null;

/** A kept value. `gamerId` is set when the value is deleted with that gamer. */
interface Memory {
  gamerId: GamerId | null;
  value: ActivityBefore;
}

class ActivityFold {
  rows: ActivityRow[] = [];
  readonly changed = new Set<string>();

  constructor(readonly memory: Map<string, Memory>) {}

  add(projected: Projected): void {
    const { id, position, event, metadata } = projected;
    if (event.type === 'GamerRemoved') this.remove(event.data.gamerId);
    const key = memoryKeyOf(event);
    const before = (key === null ? null : this.memory.get(key)?.value) ?? initialValue(event);
    const { subjectId, gamerId } = subjectOf(event, before);
    const personal = isPersonal(projected);
    // The event follows the removal in the log, or its ticket or post was deleted with the gamer.
    if (personal && (gamerId === null || this.memory.has(removedKey(gamerId)))) return;
    if (isActivity(projected)) {
      const [atMs, actorId, reason] = [metadata.at, metadata.actor.id, reasonOf(event)];
      this.rows.push({ id, position, atMs, actorId, event, before, subjectId, gamerId, reason, isPersonal: personal });
    }
    const value = key === null ? null : valueAfter(event, before);
    if (key !== null && value !== null) this.set(key, { gamerId: personal ? gamerId : null, value });
  }

  private remove(gamerId: GamerId): void {
    this.rows = this.rows.filter((row) => !(row.isPersonal && row.gamerId === gamerId));
    for (const [key, memory] of this.memory) if (memory.gamerId === gamerId) this.memory.delete(key);
    this.set(removedKey(gamerId), { gamerId: null, value: {} });
  }

  private set(key: string, memory: Memory): void {
    this.memory.set(key, memory);
    this.changed.add(key);
  }
}

async function memoryFor(events: readonly Projected[], db: Db): Promise<Map<string, Memory>> {
  const keys = new Set<string>();
  for (const { event } of events) {
    const key = memoryKeyOf(event);
    if (key !== null) keys.add(key);
    if ('gamerId' in event.data && event.data.gamerId !== null) keys.add(removedKey(event.data.gamerId));
  }
  const { rows } = await db.query<Memory & { key: string }>(
    'SELECT key, gamer_id AS "gamerId", value FROM activity_memory WHERE key = ANY ($1::text[])',
    [texts([...keys])],
  );
  return new Map(rows.map(({ key, gamerId, value }) => [key, { gamerId, value }]));
}

async function deleteRemoved(batch: Batch, db: Db): Promise<void> {
  const removed = batch.removedGamers;
  if (removed.length === 0) return;
  await db.query('DELETE FROM activity WHERE is_personal AND gamer_id = ANY ($1::text[])', [texts(removed)]);
  await db.query('DELETE FROM activity_memory WHERE gamer_id = ANY ($1::text[])', [texts(removed)]);
}

async function saveMemory({ memory, changed }: ActivityFold, db: Db): Promise<void> {
  const kept = [...memory].filter(([key]) => changed.has(key));
  await insertRows(
    db,
    'activity_memory',
    kept,
    {
      key: ['text', ([key]) => key],
      gamer_id: ['text', ([, { gamerId }]) => gamerId],
      value: ['jsonb', ([, { value }]) => JSON.stringify(value)],
    },
    'ON CONFLICT (key) DO UPDATE SET gamer_id = excluded.gamer_id, value = excluded.value',
  );
}
