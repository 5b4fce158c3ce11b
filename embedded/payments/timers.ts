/** Pending timers, at most one for each id. */
export class Timers {
  private readonly pending = new Map<string, NodeJS.Timeout>();
  private closed = false;

  constructor(private readonly now: () => number) {}

  /** Replaces the id's timer; `atMs` null only removes it. */
  set(id: string, atMs: number | null, task: () => void): void {
    clearTimeout(this.pending.get(id));
    this.pending.delete(id);
    if (atMs === null || this.closed) return;
    const run = () => {
      this.pending.delete(id);
      task();
    };
    this.pending.set(id, setTimeout(run, Math.max(0, atMs - this.now())));
  }

  close(): void {
    this.closed = true;
    for (const timer of this.pending.values()) clearTimeout(timer);
  }
}
