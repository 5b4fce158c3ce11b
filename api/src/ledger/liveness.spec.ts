import { Liveness } from './liveness.js';
import type { LivenessStore } from './liveness.store.js';

const SECOND = 1_000;

/** The table in memory, as the store's own words describe it. */
class NotesInMemory {
  readonly notes = new Map<string, { aliveSince: number; lastAliveAt: number }>();
  isAway = false;

  async note(streakId: string, aliveSince: number, lastAliveAt: number): Promise<void> {
    if (this.isAway) throw new Error('the tables are away');
    this.notes.set(streakId, { aliveSince, lastAliveAt });
  }

  async forgetBefore(epochMs: number): Promise<void> {
    for (const [streakId, { lastAliveAt }] of this.notes) if (lastAliveAt < epochMs) this.notes.delete(streakId);
  }

  async lastAliveOfThoseSince(epochMs: number): Promise<number | null> {
    const noted = [...this.notes.values()].filter(({ aliveSince }) => aliveSince <= epochMs);
    return noted.length === 0 ? null : Math.max(...noted.map(({ lastAliveAt }) => lastAliveAt));
  }
}

describe('liveness', () => {
  let now: number;
  let table: NotesInMemory;
  let ledger: { lastContactAt: number; lastEventAt: number };
  const errors: Error[] = [];
  const nodes: Liveness[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    now = 100 * SECOND;
    table = new NotesInMemory();
    ledger = { lastContactAt: now, lastEventAt: 0 };
    errors.length = 0;
  });

  afterEach(() => {
    for (const node of nodes.splice(0)) node.stop();
    jest.useRealTimers();
  });

  function node(id: string): Liveness {
    const made = new Liveness(
      id,
      table as unknown as LivenessStore,
      ledger,
      () => now,
      (error) => errors.push(error),
    );
    made.start();
    nodes.push(made);
    return made;
  }

  /** Seconds go by, with contact to the log or without. */
  async function goOn(seconds: number, hasContact = true): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      now += SECOND;
      if (hasContact) ledger.lastContactAt = now;
      await jest.advanceTimersByTimeAsync(SECOND);
    }
  }

  it('is now, for a node that was alive all along', async () => {
    const one = node('one');
    await goOn(60);
    expect(await one.lastAliveAround(now - 5 * SECOND)).toBe(now);
    expect(table.notes.get(`one@${100 * SECOND}`)).toEqual({ aliveSince: 100 * SECOND, lastAliveAt: now });
  });

  it('is not known without contact to the log', async () => {
    const one = node('one');
    await goOn(10);
    await goOn(4, false);
    expect(await one.lastAliveAround(now - SECOND)).toBeNull();
  });

  it('is when the last node was alive that had been alive before the deadline', async () => {
    const one = node('one');
    await goOn(10);
    const diedAt = now;
    one.stop();
    now += 60 * SECOND;
    ledger.lastContactAt = now;
    const two = node('two');
    await goOn(1);
    expect(await two.lastAliveAround(diedAt + 20 * SECOND)).toBe(diedAt);
  });

  it('begins anew after a gap of more than three seconds', async () => {
    const one = node('one');
    await goOn(10);
    const before = now;
    await goOn(6, false);
    await goOn(5);
    // The last beat was taken while the last contact was three seconds old.
    expect(await one.lastAliveAround(before + 5 * SECOND)).toBe(before + 3 * SECOND);
    expect([...table.notes.values()]).toEqual([
      { aliveSince: 100 * SECOND, lastAliveAt: before + 3 * SECOND },
      { aliveSince: before + 7 * SECOND, lastAliveAt: now },
    ]);
  });

  it('goes on over a shorter gap', async () => {
    const one = node('one');
    await goOn(10);
    const before = now;
    await goOn(3, false);
    await goOn(5);
    expect(await one.lastAliveAround(before + 2 * SECOND)).toBe(now);
  });

  it('is not certain while another node may be about to note that it was alive', async () => {
    table.notes.set('another', { aliveSince: 0, lastAliveAt: now });
    const deadline = now + SECOND;
    now += 2 * SECOND;
    ledger.lastContactAt = now;
    const two = node('two');
    expect(await two.lastAliveAround(deadline)).toBeNull();
    await goOn(2);
    expect(await two.lastAliveAround(deadline)).toBe(deadline - SECOND);
  });

  it('is at least the time of the last event: somebody was there to write it', async () => {
    ledger.lastEventAt = now - 20 * SECOND;
    const one = node('one');
    expect(await one.lastAliveAround(now - 10 * SECOND)).toBe(now - 20 * SECOND);
    expect(await one.lastAliveAround(now - 30 * SECOND)).toBe(now - 20 * SECOND);
  });

  it('forgets streaks that ended years ago', async () => {
    table.notes.set('old', { aliveSince: 0, lastAliveAt: 1 });
    now = 3 * 365 * 86_400 * SECOND;
    ledger.lastContactAt = now;
    node('one');
    await jest.advanceTimersByTimeAsync(0);
    expect([...table.notes.keys()]).toEqual([`one@${now}`]);
  });

  it('does not count time in which the tables were away', async () => {
    const one = node('one');
    await goOn(10);
    const before = now;
    table.isAway = true;
    await goOn(10);
    expect(errors).toHaveLength(10);
    await expect(one.lastAliveAround(before + SECOND)).rejects.toThrow('the tables are away');
    table.isAway = false;
    await goOn(1);
    expect(await one.lastAliveAround(before + 5 * SECOND)).toBe(before);
  });
});
