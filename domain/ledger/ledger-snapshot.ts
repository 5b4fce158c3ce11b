import { CopyOnWriteMap } from './copy-on-write-map.js';
import type { LedgerState } from './ledger-state.js';

/** Entries per part: about a millisecond of work. */
const ENTRIES_PER_PART = 2_000;
/** Prefix of the part that holds all fields except the collections. */
const FIELDS = '{"name":"fields"';

export interface StateCopy {
  /** JSON texts of bounded size, made when they are read. */
  parts: Iterable<string>;
  /** Ends the copy; the parts cannot be read any more. */
  end(): void;
}

type Collection = [name: string, entries: Iterable<unknown>];

/** Copies the state as of the call, fast: collections copy on write or only grow. Commands may go on. */
export function copyState(state: LedgerState): StateCopy {
  const fields: Record<string, unknown> = {};
  const collections: Collection[] = [];
  const ends: (() => void)[] = [];
  for (const [name, part] of Object.entries(state)) {
    if (part instanceof CopyOnWriteMap) {
      const { entries, end } = part.beginCopy();
      collections.push([name, entries]);
      ends.push(end);
    } else if (part instanceof Map) collections.push([name, [...part]]);
    else if (part instanceof Set) collections.push([name, firstOf(part, part.size)]);
    else fields[name] = part;
  }
  const parts = partsOf(JSON.stringify(fields), collections);
  return { parts, end: () => ends.forEach((end) => void end()) };
}

function* firstOf<T>(members: Set<T>, count: number): Iterable<T> {
  let left = count;
  for (const member of members) {
    if (left === 0) return;
    left -= 1;
    yield member;
  }
}

function* partsOf(fields: string, collections: Collection[]): Iterable<string> {
  yield `${FIELDS},"fields":${fields}}`;
  for (const [name, entries] of collections) {
    let slice: unknown[] = [];
    for (const entry of entries) {
      slice.push(entry);
      if (slice.length < ENTRIES_PER_PART) continue;
      yield JSON.stringify({ name, entries: slice });
      slice = [];
    }
    if (slice.length > 0) yield JSON.stringify({ name, entries: slice });
  }
}

/** Adds a part of a copy to a state that had no events. All parts in their order restore the copied state. */
export function restorePart(state: LedgerState, text: string): void {
  const { name, fields, entries } = JSON.parse(text);
  const collection = (state as unknown as Record<string, unknown>)[name];
  if (name === 'fields') Object.assign(state, fields);
  else if (collection instanceof Map) for (const [key, value] of entries) collection.set(key, value);
  else if (collection instanceof Set) for (const member of entries) collection.add(member);
  else throw new Error(`the state has no ${name}`);
}
