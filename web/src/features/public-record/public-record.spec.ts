import type { PublicEvent } from '../../../../contracts/http/public-record.js';
import { recordText } from './public-record.js';

const timersBefore = {
  pregameDurationSeconds: 180,
  liveDurationSeconds: 120,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
};
const AT = Date.UTC(2026, 6, 1, 18);
const textOf = (event: PublicEvent) => recordText({ revision: 1_200, eventId: 'id', atMs: AT, event, timersBefore });

it('tells how many purchases a reset made void, where the event tells it', () => {
  const data = { roundId: 3, carriedCents: 1_300, reason: 'Ours', purchaseCount: 1 };
  expect(textOf({ type: 'GameReset', data })).toEqual({
    title: 'Round 3 void',
    text: 'Nobody won it. It had 1 purchase. $13.00 went into the next round.',
  });
  const idle = textOf({ type: 'GameReset', data: { ...data, roundId: null } });
  expect(idle).toEqual({ title: 'Game set to idle', text: 'No round was open.' });
});

it('names the timers that changed, with the values before', () => {
  const data = { ...timersBefore, liveDurationSeconds: 90, tokenExtensionSeconds: 60 };
  expect(textOf({ type: 'TimersChanged', data }).text).toBe(
    'Live: 90 seconds instead of 2 minutes. Time per token: 1 minute instead of 30 seconds.',
  );
});

it('tells when a planned start is, and on which clocks', () => {
  const plan = { startsAtMs: AT, localTime: '2026-07-01T20:00', timeZone: 'Europe/Berlin' };
  expect(textOf({ type: 'GameScheduled', data: { ...plan, repeat: 'daily' } }).text).toBe(
    'For Jul 01, 2026, 2:00 PM, daily at 20:00 in Europe/Berlin, unless a game runs then.',
  );
});

it('tells what the ledger lost, and who accepted it', () => {
  const signed = { signedOrigin: 'play.example/ledger', signedSize: 1_400, signedRoot: 'ab'.repeat(32) };
  const lost = { ...signed, lastKeptAtMs: Date.UTC(2026, 6, 1, 16), acceptedBy: 'Ada', reason: 'a lost disk' };
  expect(textOf({ type: 'HistoryLost', data: lost }).text).toBe(
    'What happened between Jul 01, 2026, 12:00 PM and Jul 01, 2026, 2:00 PM is lost. Of 1,400 signed events, 1,200 are left. Ada accepted it.',
  );
});

it('tells how long an outage was, and what the round was given', () => {
  const resumed = { roundId: 2, outageSeconds: 200, endsAtEpochMs: AT + 30_000, lastAliveAtMs: AT - 200_000 };
  expect(textOf({ type: 'LiveResumed', data: resumed })).toEqual({
    title: 'Outage in round 2',
    text: 'No server could take a purchase for 200 seconds. The round went on with 30 seconds left.',
  });
});
