import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EventMetadata } from '../metadata.js';
import type { OurEvent } from '../recorded.js';

const FOLDER = path.join(__dirname, '..', 'golden');

interface GoldenFile {
  type: OurEvent['type'];
  schema: number;
  events: { stream?: string; revision: number; id: string; data: OurEvent['data']; metadata: EventMetadata }[];
}

export const goldenFiles = (): Map<string, GoldenFile> =>
  new Map(
    readdirSync(FOLDER).map((file) => [file, JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as GoldenFile]),
  );

/** The golden events of these types, in every version, file by file. */
export const eventsOf = <E extends OurEvent>(types: readonly string[]) =>
  [...goldenFiles().values()]
    .filter(({ type }) => types.includes(type))
    .flatMap(({ type, events }) => events.map(({ data, ...rest }) => ({ ...rest, event: { type, data } as E })));
