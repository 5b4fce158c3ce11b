import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EventMetadata } from '../metadata.js';
import type { OurEvent } from '../recorded.js';
import { assertReadable, schemaOf } from '../schemas.js';
import { type Shape, shaped } from './shapes.js';

const FOLDER = path.join(__dirname, '..', 'golden');

/** The events of one type and version, as a log of that version holds them. */
interface Golden {
  type: OurEvent['type'];
  schema: number;
  events: { stream?: string; revision: number; id: string; data: OurEvent['data']; metadata: EventMetadata }[];
}

const read = (file: string): Golden => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Golden;

/** Event types with golden files, of the ledger or of other streams. Throws for a file that is not named after its event. */
export function typesInFiles(of: 'ledger' | 'other streams'): string[] {
  const types: string[] = [];
  for (const file of readdirSync(FOLDER)) {
    const { type, schema, events } = read(file);
    if (file !== `${type}.v${schema}.golden.json`) throw new Error(`${file} is not named as a golden file of ${type}`);
    if ((events[0]?.stream === undefined) === (of === 'ledger')) types.push(type);
  }
  return types;
}

/** The golden events of these types, in every version, file by file. Events of the ledger have no `stream`. */
export function eventsOf<E extends OurEvent, M extends EventMetadata = EventMetadata>(types: readonly string[]) {
  return readdirSync(FOLDER)
    .map(read)
    .filter(({ type }) => types.includes(type))
    .flatMap(({ type, events }) =>
      events.map(({ data, metadata, ...rest }) => ({
        ...rest,
        event: { type, data } as E,
        metadata: metadata as M,
      })),
    );
}

/** Every version of a type, oldest first. */
const versionsOf = (type: string): number[] =>
  Array.from({ length: schemaOf(type as OurEvent['type']) }, (_, index) => index + 1);

/**
 * Tests that each type has a golden file per version, with the fields of the contract.
 * @param older shapes of versions that are no longer written, as `Type.v1`
 */
export function describeShapes(shapes: Record<string, Shape<object>>, older: Record<string, Shape<object>> = {}): void {
  const all = Object.keys(shapes).flatMap((type) => versionsOf(type).map((schema) => ({ type, schema })));
  describe.each(all)('$type of version $schema', ({ type, schema }) => {
    it('has a golden file with events of the contract’s shape', () => {
      const golden = read(`${type}.v${schema}.golden.json`);
      expect(golden).toMatchObject({ type, schema });
      expect(golden.events.length).toBeGreaterThan(0);
      const shape = older[`${type}.v${schema}`] ?? (shapes[type] as Shape<object>);
      for (const { data, metadata } of golden.events) {
        expect(metadata.schema).toBe(schema);
        assertReadable(type, data, metadata);
        expect({ data, isOfShape: shaped(shape)(data) }).toEqual({ data, isOfShape: true });
      }
    });
  });
}
