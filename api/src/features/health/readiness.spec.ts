import type { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Background } from '../../platform/background.js';
import { ReadModelLag } from './readiness.js';

function moving() {
  const ledger = { committed: { position: '0' } } as { committed: { position: string; game: never } };
  const checkpoint: { position: string | null } = { position: '0' };
  const tables = checkpoint as unknown as ReadCheckpoint;
  const background = { every: jest.fn() } as unknown as Background;
  return { ledger, checkpoint, lag: new ReadModelLag(ledger as unknown as Ledger, tables, background) };
}

it('the lag of the read models is 0 while the tables have all events', () => {
  const { ledger, checkpoint, lag } = moving();
  expect(lag.behindMs(1_000)).toBe(0);
  ledger.committed.position = '70';
  checkpoint.position = '75';
  expect(lag.behindMs(2_000)).toBe(0);
});

it('the lag of the read models is the age of the oldest event that the tables lack', () => {
  const { ledger, checkpoint, lag } = moving();
  ledger.committed.position = '10';
  lag.sample(1_000);
  ledger.committed.position = '20';
  lag.sample(2_000);
  expect(lag.behindMs(5_000)).toBe(4_000);
  checkpoint.position = '15';
  expect(lag.behindMs(5_000)).toBe(3_000);
  checkpoint.position = '20';
  expect(lag.behindMs(6_000)).toBe(0);
});
