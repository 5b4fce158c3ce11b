import { type Game, initialGame } from '../../../domain/game.js';
import { gameStarted } from '../../../domain/testing/rounds.js';
import { Unavailable } from '../platform/failures.js';
import type { Ledger } from './ledger.js';
import type { Liveness } from './liveness.store.js';
import { Timekeeper } from './timekeeper.js';

const NOW = 1_000_000;

/** Its game is live until `endsAtEpochMs`, and is decided 300 ms later; idle without an end. */
class LedgerStub {
  readonly sentAtMs: number[] = [];
  endsAtEpochMs: number | null = null;
  fails: Error | null = null;
  private listener = () => {};

  get committed(): { game: Game } {
    const { endsAtEpochMs } = this;
    const { terms, decidingMs } = gameStarted(1, NOW).data;
    const phase = endsAtEpochMs === null ? 'idle' : 'live';
    return { game: { ...initialGame, phase, endsAtEpochMs, terms: { ...terms, decidingMs } } };
  }

  onCommitted(listener: () => void): void {
    this.listener = listener;
  }

  moveEnd(endsAtEpochMs: number | null): void {
    this.endsAtEpochMs = endsAtEpochMs;
    this.listener();
  }

  async execute(): Promise<void> {
    this.sentAtMs.push(Date.now() - NOW);
    if (this.fails) throw this.fails;
    this.moveEnd(null);
  }
}

let ledger: LedgerStub;
let slowly: () => Promise<void>;
let errors: Error[];
let timekeeper: Timekeeper;

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  ledger = new LedgerStub();
  slowly = async () => {};
  errors = [];
  timekeeper = new Timekeeper(
    ledger as unknown as Ledger,
    { lastAliveAround: () => slowly().then(Date.now) } as unknown as Liveness,
    Date,
    (error) => errors.push(error),
  );
});

afterEach(() => {
  timekeeper.stop();
  jest.useRealTimers();
});

function startWithEndIn(ms: number): void {
  ledger.endsAtEpochMs = NOW + ms;
  timekeeper.start();
}

it('waits again while the stores are slow, because purchases wait for them too', async () => {
  let storesTakeMs = 1_000;
  slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, storesTakeMs));
  };
  startWithEndIn(5_000);
  await jest.advanceTimersByTimeAsync(6_400);
  storesTakeMs = 10;
  await jest.advanceTimersByTimeAsync(2_000);
  expect(ledger.sentAtMs).toEqual([6_610]);
});

it.each([
  ['without reporting an outage', new Unavailable('no log'), 0],
  ['and reports any other error', new Error('a bug'), 5],
])('retries every quarter of a second, %s', async (_how, error, reported) => {
  ledger.fails = error;
  startWithEndIn(700);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(ledger.sentAtMs).toEqual([1_000, 1_250, 1_500, 1_750, 2_000]);
  expect(errors).toEqual(Array(reported).fill(error));
  ledger.fails = null;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(ledger.sentAtMs).toHaveLength(6);
});

it('sends nothing once stopped', async () => {
  startWithEndIn(1_000);
  timekeeper.stop();
  ledger.moveEnd(NOW + 2_000);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(ledger.sentAtMs).toEqual([]);
});
