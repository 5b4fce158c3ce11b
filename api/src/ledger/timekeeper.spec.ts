import type { Game } from '../../../domain/game.js';
import { Unavailable } from '../http/refused.js';
import type { Ledger } from './ledger.js';
import type { Liveness } from './liveness.js';
import { Timekeeper } from './timekeeper.js';

const NOW = 1_000_000;

/** A ledger that notes when it was asked to advance, and moves the game's end as it is told. */
class AskedLedger {
  readonly asked: { atMs: number; lastAliveAt: number; commandId: string }[] = [];
  endsAtEpochMs: number | null = null;
  nextEnd: number | null = null;
  fails: Error | null = null;
  private listener = () => {};

  get committed(): { game: Pick<Game, 'endsAtEpochMs'> } {
    return { game: { endsAtEpochMs: this.endsAtEpochMs } };
  }

  onCommitted(listener: () => void): void {
    this.listener = listener;
  }

  moveEnd(endsAtEpochMs: number | null): void {
    this.endsAtEpochMs = endsAtEpochMs;
    this.listener();
  }

  async execute(command: { lastAliveAtEpochMs: number }, { commandId }: { commandId: string }): Promise<void> {
    this.asked.push({ atMs: Date.now(), lastAliveAt: command.lastAliveAtEpochMs, commandId });
    if (this.fails) throw this.fails;
    this.moveEnd(this.nextEnd);
  }
}

describe('the timekeeper', () => {
  let ledger: AskedLedger;
  let lastAliveAt: (deadline: number) => number | null;
  let errors: Error[];
  let timekeeper: Timekeeper;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    ledger = new AskedLedger();
    lastAliveAt = () => Date.now();
    errors = [];
    let made = 0;
    timekeeper = new Timekeeper(
      ledger as unknown as Ledger,
      { lastAliveAround: async (deadline: number) => lastAliveAt(deadline) } as unknown as Liveness,
      Date.now,
      () => {
        made += 1;
        return `c${made}`;
      },
      (error) => errors.push(error),
    );
  });

  afterEach(() => {
    timekeeper.stop();
    jest.useRealTimers();
  });

  const askedAt = () => ledger.asked.map(({ atMs }) => atMs - NOW);

  it('asks at the deadline, and at the next one', async () => {
    ledger.endsAtEpochMs = NOW + 5_000;
    ledger.nextEnd = NOW + 8_000;
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(4_999);
    expect(askedAt()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(askedAt()).toEqual([5_000]);
    ledger.nextEnd = null;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(askedAt()).toEqual([5_000, 8_000]);
    expect(ledger.asked.map(({ commandId }) => commandId)).toEqual(['c1', 'c2']);
  });

  it('follows a deadline that moves', async () => {
    ledger.endsAtEpochMs = NOW + 5_000;
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(4_000);
    ledger.moveEnd(NOW + 30_000);
    await jest.advanceTimersByTimeAsync(25_999);
    expect(askedAt()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(askedAt()).toEqual([30_000]);
  });

  it('asks at once for a deadline that has passed, and never while idle', async () => {
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(100_000_000);
    expect(askedAt()).toEqual([]);
    ledger.moveEnd(NOW);
    await jest.advanceTimersByTimeAsync(1);
    expect(ledger.asked).toHaveLength(1);
  });

  it('asks for nothing after a reset', async () => {
    ledger.endsAtEpochMs = NOW + 5_000;
    timekeeper.start();
    ledger.moveEnd(null);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(askedAt()).toEqual([]);
  });

  it('waits for a deadline a year away, longer than a timer can', async () => {
    const year = 31_536_000_000;
    ledger.endsAtEpochMs = NOW + year;
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(year - 1);
    expect(askedAt()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(askedAt()).toEqual([year]);
  });

  it('waits until it is certain whether anybody was alive, and passes on when', async () => {
    ledger.endsAtEpochMs = NOW + 1_000;
    lastAliveAt = () => (Date.now() < NOW + 2_000 ? null : NOW + 400);
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(1_900);
    expect(askedAt()).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(ledger.asked).toEqual([{ atMs: NOW + 2_000, lastAliveAt: NOW + 400, commandId: 'c1' }]);
  });

  it('asks again every quarter of a second while the log is away, without a word', async () => {
    ledger.endsAtEpochMs = NOW + 1_000;
    ledger.fails = new Unavailable('away');
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(askedAt()).toEqual([1_000, 1_250, 1_500, 1_750, 2_000]);
    ledger.fails = null;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(ledger.asked).toHaveLength(6);
    expect(errors).toEqual([]);
  });

  it('tells of any other error, and goes on', async () => {
    ledger.endsAtEpochMs = NOW + 1_000;
    ledger.fails = new Error('a bug');
    timekeeper.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(errors).toEqual([ledger.fails]);
    ledger.fails = null;
    await jest.advanceTimersByTimeAsync(250);
    expect(ledger.asked).toHaveLength(2);
  });

  it('asks nothing more once stopped', async () => {
    ledger.endsAtEpochMs = NOW + 1_000;
    timekeeper.start();
    timekeeper.stop();
    ledger.moveEnd(NOW + 2_000);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(askedAt()).toEqual([]);
  });
});
