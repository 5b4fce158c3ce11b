import type { Fields } from './fields.js';
import { COMMUNITY_EVENT_FIELDS, GAMER_EVENT_FIELDS, TICKET_EVENT_FIELDS } from './gamer-events.js';
import { LATE_EVENT_FIELDS } from './late-events.js';
import { LEDGER_EVENT_FIELDS } from './ledger-events.js';
import type { EventMetadata } from './metadata.js';
import { PAYMENT_EVENT_FIELDS } from './payment-events.js';

/**
 * Every field of every event. Events stay as they were written, because the chain hashes them; so a field of a later version is
 * optional in its type, and an upcast beside the type gives its absence a value. docs/changing.md lists the steps.
 */
export const EVENT_FIELDS = {
  ...LEDGER_EVENT_FIELDS,
  ...GAMER_EVENT_FIELDS,
  ...PAYMENT_EVENT_FIELDS,
  ...TICKET_EVENT_FIELDS,
  ...COMMUNITY_EVENT_FIELDS,
  ...LATE_EVENT_FIELDS,
};

/** An event that this version of the program must not interpret, because a newer version or another program wrote it. */
export class UnreadableEvent extends Error {}

const unreadable = (what: string) =>
  new UnreadableEvent(`${what}: a newer version of this program wrote it; upgrade this node`);

/** The versions of events by the versions of their fields: an event's version is its newest field's. */
export function eventVersions<Type extends string>(fieldsByType: Readonly<Record<Type, Fields>>) {
  const versions = new Map(
    Object.entries<Fields>(fieldsByType).map(([type, fields]) => {
      const newest = Math.max(...Object.values(fields).map(({ version }) => version));
      return [type, { newest, fields: new Map(Object.entries(fields)) }];
    }),
  );
  return {
    /** The version in which this type of event is written now. */
    currentVersionOf: (type: Type): number => versions.get(type)!.newest,

    /** The newest version of each type of event that this program reads. */
    readableVersions: (): Record<string, number> =>
      Object.fromEntries([...versions].map(([type, { newest }]) => [type, newest])),

    /** Throws UnreadableEvent for an unknown type, version or field, because ignoring it would make the folded state wrong. */
    assertReadable(type: string, data: object, { schema }: Pick<EventMetadata, 'schema'>): void {
      const known = versions.get(type);
      if (known === undefined) throw unreadable(`unknown event type ${type}`);
      if (!(schema >= 1 && schema <= known.newest)) {
        throw unreadable(`${type} of version ${schema}, and this program knows versions 1 to ${known.newest}`);
      }
      const values = data as Record<string, unknown>;
      for (const field of Object.keys(data)) {
        const isKnown = (known.fields.get(field)?.version ?? Number.POSITIVE_INFINITY) <= schema;
        if (!isKnown) throw unreadable(`${type} of version ${schema} with the unknown field ${field}`);
      }
      for (const [field, { version, isValid }] of known.fields) {
        const value = values[field];
        if (value === undefined ? version <= schema : !isValid(value))
          throw new UnreadableEvent(`${type} without a valid field ${field}: no version of this program wrote it`);
      }
    },
  };
}

export const { currentVersionOf, readableVersions, assertReadable } = eventVersions(EVENT_FIELDS);
