import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { Auditor } from '../replay/auditor.js';
import { rechained, recorded } from './histories.js';
import { scenario } from './scenario.js';

export type Events = RecordedLedgerEvent[];
type Forge = (events: Events) => Events;
/** The auditor's fault in a forged log, the change of an honest log that breaks the rule, and a change that just keeps it. */
export type Forgery = readonly [message: string, forge: Forge, keep?: Forge];
type DataOf<T extends LedgerEventType> = Extract<LedgerEvent, { type: T }>['data'];

const HONEST = JSON.stringify(recorded(scenario()));
export const honest = (): Events => JSON.parse(HONEST);

export function audited(events: readonly RecordedLedgerEvent[]): Auditor {
  const auditor = new Auditor();
  for (const event of events) auditor.take(event);
  return auditor;
}

/** A forged log as a person with write access could write it: numbered, and with correct chains. */
export const forged = (forge: Forge, log = honest()): Events =>
  rechained(forge(log).map((event, revision) => ({ ...event, revision })));

const indexOf = (events: Events, type: LedgerEventType, nth = 0): number => {
  const found = events.flatMap(({ event }, index) => (event.type === type ? [index] : []))[nth];
  if (found === undefined) throw new Error(`the scenario has no ${type} number ${nth}`);
  return found;
};

/** New values of some fields, or a function that changes them. */
type Change<T> = Partial<T> | ((one: T) => void);

function apply<T extends object>(change: Change<T>, one: T): void {
  if (typeof change === 'function') change(one);
  else Object.assign(one, change);
}

/** Makes these changes one after the other. */
export const inTurn =
  (...changes: Forge[]): Forge =>
  (events) =>
    changes.reduce((changed, change) => change(changed), events);

/** Changes the data of an event of this type: the first, or the nth from 0 on. */
export const data =
  <T extends LedgerEventType>(type: T, change: Change<DataOf<T>>, nth = 0) =>
  (events: Events): Events => {
    apply(change, events[indexOf(events, type, nth)]?.event.data as DataOf<T>);
    return events;
  };

export const metadata =
  (type: LedgerEventType, change: Change<RecordedLedgerEvent['metadata']>, nth = 0) =>
  (events: Events): Events => {
    apply(change, (events[indexOf(events, type, nth)] as RecordedLedgerEvent).metadata);
    return events;
  };

/** Sets a field of an event, or its time `at`. */
export const set =
  <T extends LedgerEventType>(type: T, field: keyof DataOf<T> | 'at', nth = 0) =>
  (value: unknown): Forge =>
    (field === 'at' ? metadata : data)(type, { [field]: value } as object, nth);

/** Two values, of which the first one breaks a rule, and the second one just keeps it. */
export const edge = <V>(forge: (value: V) => Forge, broken: V, kept: V) => [forge(broken), forge(kept)] as const;

export const without =
  (type: LedgerEventType, nth = 0) =>
  (events: Events): Events =>
    events.toSpliced(indexOf(events, type, nth), 1);

/** Inserts a copy of an event right after it, or near the log's end: its last two events are of later days. */
export const twice =
  (type: LedgerEventType, { atEnd = false, afterMs = 0, commandId = '' } = {}) =>
  (events: Events): Events => {
    const index = indexOf(events, type);
    const copy = structuredClone(events[index] as RecordedLedgerEvent);
    copy.id = copy.id.replace(/^0/, '1');
    copy.metadata.at = ((atEnd ? events.at(-3) : copy) as RecordedLedgerEvent).metadata.at + afterMs;
    if (commandId !== '') copy.metadata.commandId = commandId;
    return events.toSpliced(atEnd ? events.length - 2 : index + 1, 0, copy);
  };

/** Puts another event in the place of the first of this type, or the nth from 0 on. */
export const replaced =
  (type: LedgerEventType, event: LedgerEvent, nth = 0) =>
  (events: Events): Events => {
    const old = events[indexOf(events, type, nth)] as RecordedLedgerEvent;
    const schema = 1;
    return events.with(indexOf(events, type, nth), { ...old, event, metadata: { ...old.metadata, schema } });
  };

/** Inserts an event before the nth of this type, by an actor of its own command. */
export const before =
  (type: LedgerEventType, event: LedgerEvent, nth = 0, actor: Actor = { id: 'admin', role: 'admin' }) =>
  (events: Events): Events => {
    const index = indexOf(events, type, nth);
    const { at: atMs } = (events[index] as RecordedLedgerEvent).metadata;
    const first = events[0] as RecordedLedgerEvent;
    const metadata = { ...first.metadata, commandId: 'inserted', actor, at: atMs, schema: 1 };
    return events.toSpliced(index, 0, { ...first, id: 'inserted', event, metadata });
  };

/** Sets `createdAtMs`: the first event's is `afterMs` after its ledger time, the others' 5 ms. */
export const stored =
  (afterMs: number) =>
  (events: Events): Events =>
    events.map((one, index) => ({ ...one, createdAtMs: one.metadata.at + (index === 0 ? afterMs : 5) }));
