import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import { gamerStream, ticketStream } from '../../../contracts/streams.js';
import { initialGame } from '../../../domain/game.js';
import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import type { ActivityBefore, ActivityRow } from './activity.entity.js';
import { memoryKeyOf, reasonOf, remembered, subjectOf } from './activity-subjects.js';
import { type Batch, type Projected, type View } from './view.js';

/**
 * What admins did: every event of theirs, with how it was before where the event itself does not say. What stands in the
 * stream of a gamer, or of a gamer's ticket, goes when the gamer is removed (decision 38), as it goes from the log.
 */
export const activityView: View = {
  name: 'activity',
  version: 3,
  tables: ['activity', 'activity_memory'],
  ddl: `
    CREATE TABLE activity (
      id uuid PRIMARY KEY,
      position bigint NOT NULL,
      at_ms bigint NOT NULL,
      actor_id text NOT NULL,
      event jsonb NOT NULL,
      before jsonb,
      subject_id text,
      gamer_id text,
      reason text,
      is_personal boolean NOT NULL
    );
    CREATE INDEX activity_newest ON activity (position DESC, id);
    CREATE INDEX activity_personal ON activity (gamer_id) WHERE is_personal;
    CREATE TABLE activity_memory (key text PRIMARY KEY, gamer_id text, value jsonb NOT NULL);
    CREATE INDEX activity_memory_personal ON activity_memory (gamer_id) WHERE gamer_id IS NOT NULL`,

  async apply(batch, db) {
    const events = batch.events.filter(isOfConcern);
    if (events.length === 0) return;
    const reading = new Reading(await memoryFor(events, db));
    for (const projected of events) reading.read(projected);
    await forget(batch, db);
    await insert(reading.rows, db);
    await remember(reading, db);
  },
};

/** The first start's doing, in the admin's name. */
const NOT_A_COMMAND = new Set<OurEvent['type']>(['GamerRegistered', 'GamerEnrolled']);

const isActivity = ({ event, metadata }: Projected): boolean =>
  metadata.actor.role === 'admin' && !NOT_A_COMMAND.has(event.type);

const isOfConcern = (projected: Projected): boolean =>
  projected.event.type === 'GamerRemoved' || memoryKeyOf(projected.event) !== null || isActivity(projected);

const isPersonal = ({ stream }: Projected): boolean =>
  stream.startsWith(gamerStream('')) || stream.startsWith(ticketStream(''));

const removedKey = (gamerId: GamerId): string => `removed ${gamerId}`;

/** How it was before anything was said about it. */
const atFirst = ({ type }: OurEvent): ActivityBefore | null =>
  type === 'TimersChanged' ? { timers: initialGame.timers } : null;

interface Memory {
  gamerId: GamerId | null;
  value: ActivityBefore;
}

type Row = Omit<ActivityRow, 'atMs'> & { atMs: number };

/** Goes through events in order, with all that they need to remember at hand. */
class Reading {
  rows: Row[] = [];
  readonly changed = new Set<string>();

  constructor(readonly memory: Map<string, Memory>) {}

  read(projected: Projected): void {
    const { event } = projected;
    if (event.type === 'GamerRemoved') this.forget(event.data.gamerId);
    const key = memoryKeyOf(event);
    const before = (key === null ? null : this.memory.get(key)?.value) ?? atFirst(event);
    const { subjectId, gamerId } = subjectOf(event, before);
    const personal = isPersonal(projected);
    // Behind the removal in the log, or about a ticket that went with its gamer.
    if (personal && (gamerId === null || this.memory.has(removedKey(gamerId)))) return;
    if (isActivity(projected)) {
      const { id, position, metadata } = projected;
      const { at: atMs, actor } = metadata;
      const reason = reasonOf(event);
      this.rows.push({
        id,
        position,
        atMs,
        actorId: actor.id,
        event,
        before,
        subjectId,
        gamerId,
        reason,
        isPersonal: personal,
      });
    }
    const after = key === null ? null : remembered(event, before);
    if (key !== null && after !== null) this.set(key, { gamerId: personal ? gamerId : null, value: after });
  }

  private forget(gamerId: GamerId): void {
    this.rows = this.rows.filter((row) => !(row.isPersonal && row.gamerId === gamerId));
    for (const [key, remembered] of this.memory) if (remembered.gamerId === gamerId) this.memory.delete(key);
    this.set(removedKey(gamerId), { gamerId: null, value: {} });
  }

  private set(key: string, remembered: Memory): void {
    this.memory.set(key, remembered);
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

async function forget(batch: Batch, db: Db): Promise<void> {
  const removed = batch.ofType('GamerRemoved').map(({ event }) => event.data.gamerId);
  if (removed.length === 0) return;
  await db.query('DELETE FROM activity WHERE is_personal AND gamer_id = ANY ($1::text[])', [texts(removed)]);
  await db.query('DELETE FROM activity_memory WHERE gamer_id = ANY ($1::text[])', [texts(removed)]);
}

async function insert(rows: readonly Row[], db: Db): Promise<void> {
  if (rows.length === 0) return;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await db.query(
    `INSERT INTO activity (id, position, at_ms, actor_id, event, before, subject_id, gamer_id, reason, is_personal)
     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[],
       $8::text[], $9::text[], $10::boolean[])`,
    [
      texts(rows.map(({ id }) => id)),
      integers(rows.map(({ position }) => position)),
      integers(rows.map(({ atMs }) => atMs)),
      texts(rows.map(({ actorId }) => actorId)),
      texts(rows.map(({ event }) => json(event))),
      texts(rows.map(({ before }) => json(before))),
      texts(rows.map(({ subjectId }) => subjectId)),
      texts(rows.map(({ gamerId }) => gamerId)),
      texts(rows.map(({ reason }) => reason)),
      texts(rows.map((row) => String(row.isPersonal))),
    ],
  );
}

async function remember({ memory, changed }: Reading, db: Db): Promise<void> {
  const kept = [...changed].flatMap((key) => {
    const remembered = memory.get(key);
    return remembered ? [{ key, ...remembered }] : [];
  });
  if (kept.length === 0) return;
  await db.query(
    `INSERT INTO activity_memory (key, gamer_id, value) SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])
     ON CONFLICT (key) DO UPDATE SET gamer_id = excluded.gamer_id, value = excluded.value`,
    [
      texts(kept.map(({ key }) => key)),
      texts(kept.map(({ gamerId }) => gamerId)),
      texts(kept.map(({ value }) => JSON.stringify(value))),
    ],
  );
}
