import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../../../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { LedgerAccount, Posting } from '../../../contracts/ledger-accounts.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { postings } from '../../../domain/ledger/postings.js';
import { isPostgresOutage } from '../../../event-log/postgres.js';
import type { Db } from '../database.js';

/** An event with its postings, which are computed once for all views. */
export interface ProjectedEvent extends Recorded {
  postings: readonly Posting[];
}

export type ProjectedLedgerEvent = ProjectedEvent & { event: LedgerEvent; metadata: LedgerMetadata };
type EventType = OurEvent['type'];
export type ProjectedEventOf<T extends EventType> = ProjectedEvent & { event: Extract<OurEvent, { type: T }> };

export class Batch {
  readonly events: readonly ProjectedEvent[];
  readonly ofLedger: readonly ProjectedLedgerEvent[];
  private readonly byType = new Map<EventType, ProjectedEvent[]>();

  /** Throws when an event's postings do not sum to zero. */
  constructor(recorded: readonly Recorded[]) {
    // One string per account: equal names would otherwise fill the memory.
    const names = new Map<LedgerAccount, LedgerAccount>();
    this.events = recorded.map((one) => projected(one, names));
    this.ofLedger = this.events.filter((one) => one.stream === LEDGER_STREAM) as ProjectedLedgerEvent[];
    for (const one of this.events) {
      const same = this.byType.get(one.event.type);
      if (same) same.push(one);
      else this.byType.set(one.event.type, [one]);
    }
  }

  ofType<T extends EventType>(type: T): readonly ProjectedEventOf<T>[] {
    return (this.byType.get(type) ?? []) as ProjectedEventOf<T>[];
  }

  /** Events of types that a batch has few of, in log order. */
  ofTypes(types: readonly EventType[]): ProjectedEvent[] {
    const found = types.flatMap((type) => this.byType.get(type) ?? []);
    return found.sort((one, other) => (BigInt(one.position) < BigInt(other.position) ? -1 : 1));
  }
}

/** A read model. `apply` gets each event once, in the checkpoint's transaction, and uses only the view's own tables. */
export interface View {
  readonly name: string;
  /** Raise it with every change of `ddl` or `apply`: the worker then rebuilds the view and swaps it in. */
  readonly version: number;
  /** The view's tables, without schema. */
  readonly tables: readonly string[];
  /** The tables that a comparison reads: those whose rows do not depend on how events were batched. Default: all. */
  readonly compared?: readonly string[];
  /** SQL that creates the tables, without schema: the session's search_path chooses the serving schema or the rebuild's. */
  readonly ddl: string;
  apply(batch: Batch, db: Db): Promise<void>;
}

function projected(recorded: Recorded, names: Map<LedgerAccount, LedgerAccount>): ProjectedEvent {
  const { id, stream, revision, position, event, metadata } = recorded;
  const lines = stream === LEDGER_STREAM ? postings(event as LedgerEvent) : [];
  for (const line of lines) {
    const name = names.get(line.account);
    if (name === undefined) names.set(line.account, line.account);
    else line.account = name;
  }
  return { id, stream, revision, position, event, metadata, postings: lines };
}

export interface EventContext {
  atMs: number;
  actor: Actor;
  revision: number;
  position: string;
}
type Handler<D> = (data: D, db: Db, context: EventContext) => Promise<unknown>;
type Handlers = { [E in OurEvent as E['type']]?: Handler<E['data']> };

/** An `apply` for types with few events: one by one, in log order. */
export function oneByOne(handlers: Handlers): View['apply'] {
  const types = Object.keys(handlers) as EventType[];
  return async (batch, db) => {
    for (const { event, metadata, revision, position } of batch.ofTypes(types)) {
      const handle = handlers[event.type] as Handler<object>;
      await handle(event.data, db, { atMs: metadata.at, actor: metadata.actor, revision, position });
    }
  };
}

/** Deletes a removed gamer's rows, and remembers the gamer: a row from another stream may follow the removal in the log. */
export async function eraseRemoved(db: Db, gamerId: GamerId, table: string, removedTable: string): Promise<void> {
  await db.query(`INSERT INTO ${removedTable} VALUES ($1) ON CONFLICT DO NOTHING`, [gamerId]);
  await db.query(`DELETE FROM ${table} WHERE gamer_id = $1`, [gamerId]);
}

export function add<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** Applies events to views in the current transaction, concurrently: Postgres writes the rows of one while the next are computed. */
export async function applyViews(views: readonly View[], events: readonly Recorded[], db: Db): Promise<void> {
  const batch = batchOf(events);
  // The first failure: after a failed statement Postgres also refuses the statements of the other views.
  let failure: unknown;
  const apply = async (view: View): Promise<void> => {
    try {
      await view.apply(batch, db);
    } catch (error) {
      failure ??= isPostgresOutage(error) ? error : failed(`view ${view.name}`, events, error);
    }
  };
  await Promise.all(views.map(apply));
  if (failure) throw failure;
}

function batchOf(events: readonly Recorded[]): Batch {
  try {
    return new Batch(events);
  } catch (error) {
    throw failed('the postings', events, error);
  }
}

function failed(what: string, events: readonly Recorded[], cause: unknown): Error {
  const [first] = events;
  const name = `${first?.stream}@${first?.revision} ${first?.event.type} (position ${first?.position})`;
  const names = events.length === 1 ? name : `a batch of ${events.length} from ${name}`;
  return new Error(`${what} failed on ${names}`, { cause });
}
