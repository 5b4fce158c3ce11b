import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EventMetadata } from '../metadata.js';
import type { OurEvent } from '../recorded.js';
import { type Shape, shaped } from './shapes.js';

const FOLDER = path.join(__dirname, '..', 'golden');

/** The events of one type and version, as the log of their day holds them. */
interface Golden {
  type: OurEvent['type'];
  schema: number;
  events: { stream?: string; revision: number; id: string; data: OurEvent['data']; metadata: EventMetadata }[];
}

const read = (file: string): Golden => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Golden;

/** The types that have files, of the ledger or of the other streams. Throws where a file is not named after its event. */
export function typesInFiles(of: 'ledger' | 'other streams'): string[] {
  const types: string[] = [];
  for (const file of readdirSync(FOLDER)) {
    const { type, schema, events } = read(file);
    if (file !== `${type}.v${schema}.golden.json`) throw new Error(`${file} is no golden file of ${type}`);
    if ((events[0]?.stream === undefined) === (of === 'ledger')) types.push(type);
  }
  return types;
}

/** The golden events of these types, of every version, file by file. Only the ledger's do not say their stream. */
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

/** Says of each type that its golden file, of version 1, is there and as the contract promises. */
export function describeShapes(shapes: Record<string, Shape<object>>): void {
  describe.each(Object.keys(shapes))('%s', (type) => {
    it('has a golden file whose events have the shape that the contract promises', () => {
      const golden = read(`${type}.v1.golden.json`);
      expect(golden).toMatchObject({ type, schema: 1 });
      expect(golden.events.length).toBeGreaterThan(0);
      for (const { data, metadata } of golden.events) {
        expect(metadata.schema).toBe(1);
        expect({ data, isOfShape: shaped(shapes[type] as Shape<object>)(data) }).toEqual({ data, isOfShape: true });
      }
    });
  });
}
