import type { AdjustedDaysResponse, PublicRecordResponse } from '../../../../contracts/http/public-record.js';
import { DEFAULT_TIMERS } from '../../../../contracts/limits.js';
import { dayInNewYork } from '../../../../contracts/new-york.js';
import { parseProofFile } from '../../../../contracts/transparency/proof-file.js';
import { readAfter, withAliceAndBob } from '../../../test/whole-application.js';

const { application, admin, alice, bob } = withAliceAndBob();

it('shows a visitor pages of resets and changed timers, the proof of a reset, and each day’s sum of adjustments', async () => {
  const visitor = application.visitor();
  const about = (id: string) => `/api/admin/mini/gamers/${id}/adjust`;
  const adjust = (id: string, purchaseBalanceCents: number) =>
    admin.visitor.post(about(id), { purchaseBalanceCents, totalWinningsCents: 0, reason: 'Alice asked for it' });
  await adjust(alice.id, 900);
  await adjust(bob.id, 300);
  await adjust(bob.id, -200);
  await admin.visitor.post('/api/admin/timers', { ...DEFAULT_TIMERS, liveDurationSeconds: 60 });
  await admin.visitor.post('/api/admin/game/start-live');
  await alice.visitor.post('/api/buy-from-balance', { userId: alice.id, quantity: 1 });
  const reset = await admin.visitor.post('/api/admin/game/reset', { reason: 'A lamp was broken' });

  const first = await readAfter<PublicRecordResponse>(visitor, reset, '/api/public-record?pageSize=1');
  expect(first).toMatchObject({
    total: 3,
    entries: [{ event: { data: { roundId: 1, carriedCents: 13, purchaseCount: 1, reason: 'A lamp was broken' } } }],
  });
  const second = (await visitor.get<PublicRecordResponse>('/api/public-record?page=2&pageSize=2')).body;
  expect(second.entries).toMatchObject([
    { event: { data: { liveDurationSeconds: 60 } }, timersBefore: DEFAULT_TIMERS },
  ]);
  const { revision, eventId, atMs } = first.entries[0]!;
  const proof = (await visitor.get<string>(`/api/ledger/events/${revision}/proof?id=${eventId}`)).body;
  expect(parseProofFile(proof).extra.events).toMatchObject([{ data: { reason: 'A lamp was broken' } }]);

  const days = (await visitor.get<AdjustedDaysResponse>('/api/public-record/adjustments')).body;
  expect(days).toEqual({
    days: [{ day: dayInNewYork(atMs), adjustments: 3, addedCents: 1_200, takenCents: 200 }],
    total: 1,
  });
  expect(JSON.stringify([first, second, days])).not.toMatch(/lice|bob/i);
  expect((await visitor.get('/api/public-record?pageSize=0')).status).toBe(400);
});
