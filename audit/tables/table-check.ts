import type { Auditor } from '../replay/auditor.js';
import { builtBefore, type ComparedView, differencesFrom, type Tables } from './tables.js';

/** Positions have 64 bits. */
const BEYOND_ALL = 1n << 64n;

/** Compares each view with the replay at the view's own position. */
export class TableCheck {
  private readonly compared = new Set<ComparedView>();
  private isHeadCompared = false;
  /** Nothing is due up to this position: most events are far from the next one. */
  private nextAt = -1n;
  /** Ledger events that all compared views contain; null before the first comparison. */
  comparedEvents: number | null = null;

  constructor(
    private readonly auditor: Auditor,
    private readonly tables: Tables,
  ) {}

  /** True when a comparison is due before the auditor takes the event at this position. */
  isDueBefore(position: bigint): boolean {
    return position > this.nextAt;
  }

  /** Returns the differences of the views that do not contain the next ledger event, which is at this position; null at the end. */
  async compareBefore(position: bigint | null): Promise<string[]> {
    const { auditor, tables, compared } = this;
    const due = builtBefore(tables, position).filter((view) => !compared.has(view));
    for (const view of due) compared.add(view);
    if (due.length > 0) this.comparedEvents ??= auditor.revision + 1;
    const headFaults = this.headFaults(position);
    this.nextAt = this.nextDue();
    return [...headFaults, ...(due.length > 0 ? await differencesFrom(auditor, tables, due) : [])];
  }

  private nextDue(): bigint {
    let next = this.isHeadCompared ? BEYOND_ALL : this.tables.position;
    for (const [view, at] of this.tables.built) if (!this.compared.has(view) && at < next) next = at;
    return next;
  }

  /** The views that the worker has not built so far. */
  get notBuilt(): ComparedView[] {
    return this.tables.notBuilt;
  }

  /** The last ledger event in the tables must have the chain that the worker saw: an event's id can be forged. */
  private headFaults(position: bigint | null): string[] {
    if (this.isHeadCompared || (position !== null && this.tables.position >= position)) return [];
    this.isHeadCompared = true;
    const { ledgerChain } = this.tables;
    if (ledgerChain === null || ledgerChain === this.auditor.chain) return [];
    return [`built from another history: event ${this.auditor.revision + 1} had another chain`];
  }
}
