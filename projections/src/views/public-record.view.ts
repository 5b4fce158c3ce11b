import type { LedgerEvents } from '../../../contracts/events/ledger-events.js';
import { PUBLIC_EVENT_TYPES } from '../../../contracts/http/public-record.js';
import { dayInNewYork, type NewYorkDay } from '../../../contracts/new-york.js';
import { initialGame } from '../../../domain/game.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { addEntities, insertEntities } from '../sql-rows.js';
import { DailyAdjustmentsRow, PublicRecordRow } from './tables.entity.js';
import type { Batch, View } from './view.js';

/** Resets, forced starts, timer changes, planned starts, survived outages, losses of history, daily sums of adjustments without their reasons, which name gamers (decision 38). */
export const publicRecordView: View = {
  name: 'public-record',
  version: 3,
  tables: ['public_record', 'daily_adjustments'],
  ddl: `${createTable(PublicRecordRow)}
    CREATE INDEX public_record_timers ON public_record (revision DESC) WHERE timers_before IS NOT NULL;
    ${createTable(DailyAdjustmentsRow)}`,

  async apply(batch, db) {
    await insertEntities(db, PublicRecordRow, await rowsOf(batch, db));
    await addEntities(db, DailyAdjustmentsRow, adjustmentsOf(batch));
  },
};

async function rowsOf(batch: Batch, db: Db): Promise<PublicRecordRow[]> {
  const events = PUBLIC_EVENT_TYPES.flatMap((type) => batch.ofType(type));
  events.sort((one, other) => one.revision - other.revision);
  let timers = batch.ofType('TimersChanged').length === 0 ? null : await newestTimers(db);
  return events.flatMap(({ id, revision, event, metadata }) => {
    // The countdown of a round that began by the rules is not an act of the staff.
    if (event.type === 'LiveStarted' && !event.data.forced) return [];
    const timersBefore = event.type === 'TimersChanged' ? timers : null;
    if (event.type === 'TimersChanged') timers = event.data;
    return { revision, eventId: id, atMs: metadata.at, event, timersBefore };
  });
}

async function newestTimers(db: Db): Promise<LedgerEvents['TimersChanged']> {
  const { rows } = await db.query<{ timers: LedgerEvents['TimersChanged'] }>(
    `SELECT event -> 'data' AS timers FROM public_record WHERE timers_before IS NOT NULL ORDER BY revision DESC LIMIT 1`,
  );
  return rows[0]?.timers ?? initialGame.timers;
}

function adjustmentsOf(batch: Batch): DailyAdjustmentsRow[] {
  const byDay = new Map<NewYorkDay, DailyAdjustmentsRow>();
  for (const { event, metadata } of batch.ofType('BalanceAdjusted')) {
    const day = dayInNewYork(metadata.at);
    const row = byDay.get(day) ?? { day, adjustments: 0, addedCents: 0, takenCents: 0 };
    byDay.set(day, row);
    row.adjustments += 1;
    for (const cents of [event.data.purchaseCents, event.data.winningsCents]) {
      if (cents > 0) row.addedCents += cents;
      else row.takenCents -= cents;
    }
  }
  return [...byDay.values()];
}
