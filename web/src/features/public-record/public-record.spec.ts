import { recordText } from './public-record.js';

const place = { revision: 1, eventId: 'id', at: 0 };
const timersBefore = {
  pregameDurationSeconds: 180,
  liveDurationSeconds: 120,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
};

it('tells how many purchases a reset made void, where the event tells it', () => {
  const reset = { ...place, kind: 'reset', roundId: 3, carriedCents: 1_300, reason: 'Ours', purchaseCount: 1 } as const;
  expect(recordText(reset)).toEqual({
    title: 'Round 3 void',
    text: 'Nobody won it. It had 1 purchase. $13.00 went into the next round.',
  });
  expect(recordText({ ...reset, roundId: null })).toEqual({ title: 'Game set to idle', text: 'No round was open.' });
});

it('names the timers that changed, with the values before', () => {
  const timers = { ...timersBefore, liveDurationSeconds: 90, tokenExtensionSeconds: 60 };
  expect(recordText({ ...place, kind: 'timers', timers, timersBefore }).text).toBe(
    'Live: 90 seconds instead of 2 minutes. Time per token: 1 minute instead of 30 seconds.',
  );
});

it('tells what the ledger lost, and who accepted it', () => {
  const at = Date.UTC(2026, 6, 1, 18);
  const lost = { lastKeptAt: Date.UTC(2026, 6, 1, 16), signedSize: 1_400, acceptedBy: 'Ada', reason: 'a lost disk' };
  expect(recordText({ ...place, revision: 1_200, kind: 'loss', ...lost, at }).text).toBe(
    'What happened between Jul 01, 2026, 12:00 PM and Jul 01, 2026, 2:00 PM is lost. Of 1,400 signed events, 1,200 are left. Ada accepted it.',
  );
});

it('tells how long an outage was, and what the round was given', () => {
  expect(recordText({ ...place, kind: 'outage', roundId: 2, outageSeconds: 200, secondsLeft: 30 })).toEqual({
    title: 'Outage in round 2',
    text: 'No server could take a purchase for 200 seconds. The round went on with 30 seconds left.',
  });
});
