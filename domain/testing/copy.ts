import { CopyOnWriteMap } from '../ledger/copy-on-write-map.js';
import { restorePart, type StateCopy } from '../ledger/ledger-snapshot.js';
import { emptyLedger, type LedgerState } from '../ledger/ledger-state.js';

/** A shallow copy with frozen records: they must be replaced, and editing a frozen one throws. */
export function frozenCopy<T extends object>(state: T): T {
  return Object.fromEntries(Object.entries(state).map(([name, field]) => [name, frozenField(field)])) as T;
}

function frozenField(field: unknown): unknown {
  if (field instanceof CopyOnWriteMap)
    return new CopyOnWriteMap([...field].map(([key, entry]) => [key, frozen(entry)]));
  if (field instanceof Map) return new Map([...field].map(([key, entry]) => [key, frozen(entry)]));
  return field instanceof Set ? new Set(field) : frozen(field);
}

function frozen(value: unknown): unknown {
  // Bytes cannot be frozen.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || Buffer.isBuffer(value)) return value;
  for (const field of Object.values(value)) frozen(field);
  return Object.freeze(value);
}

/** The state of a copy's parts. */
export function restored({ parts, end }: StateCopy): LedgerState {
  const state = emptyLedger();
  for (const part of parts) restorePart(state, part);
  end();
  return state;
}
