/** After so much work on filters the others are served before it goes on. */
const TURN_MS = 5;

/**
 * Shares the one thread between filters, which may cost much, and everybody else. Events in memory are read without ever
 * waiting for anything, so that a reader whose filter refuses them all would keep the thread until the end of the log.
 */
class Turns {
  private spentMs = 0;
  private readonly waiting: (() => void)[] = [];

  spend(ms: number): void {
    this.spentMs += ms;
  }

  /** @returns a promise when it is the others' turn, else nothing. Of those that wait one goes on at a time. */
  end(): Promise<void> | undefined {
    if (this.spentMs < TURN_MS) return undefined;
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(() => this.next());
    });
  }

  private next(): void {
    this.spentMs = 0;
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(() => this.next());
  }
}

export const turns = new Turns();
