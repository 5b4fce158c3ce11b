import type { Turns } from '../turns.store.js';
import type { VirtualTime } from './virtual-time.js';

const CONTENTION_LASTS_MS = 1_000;

/** The turns of nodes in one process: granted in the order of the requests, as Postgres grants its advisory lock. */
export class FairTurns {
  given = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly time: VirtualTime) {}

  ofNode(): Turns {
    let contendedUntilMs = 0;
    return {
      contend: () => {
        contendedUntilMs = this.time.now() + CONTENTION_LASTS_MS;
      },
      begin: async () => {
        if (this.time.now() > contendedUntilMs) return undefined;
        const before = this.last;
        let end = (): void => {};
        this.last = new Promise((resolve) => {
          end = resolve;
        });
        await before;
        this.given += 1;
        return end;
      },
    };
  }
}
