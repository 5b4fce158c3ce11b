import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LedgerReplica } from '../../api/src/ledger/ledger-replica.js';
import { initialGame } from '../../domain/game.js';
import { copyState } from '../../domain/ledger/ledger-snapshot.js';
import { emptyLedger } from '../../domain/ledger/ledger-state.js';
import { Auditor } from '../replay/auditor.js';
import { fullHistory } from '../testing/full-history.js';
import { type StoredSnapshot, snapshotFaults } from './snapshots.js';

const log = fullHistory();

type Part = Record<string, unknown> & { name: string; entries?: unknown[] };

function partsOf(replica: LedgerReplica): Part[] {
  const { parts, end } = copyState(replica.state);
  const texts = [...parts];
  end();
  return texts.map((text) => JSON.parse(text));
}

const replica = new LedgerReplica();
for (const one of log) replica.apply(one);
const honest = partsOf(replica);

const auditor = new Auditor();
for (const one of log) auditor.take(one);

const stored = new WeakMap<Part, Buffer>();
/** The part as it is stored. Parts are never edited. */
function chunkOf(part: Part): Buffer {
  const known = stored.get(part) ?? gzipSync(JSON.stringify(part), { level: 1 });
  stored.set(part, known);
  return known;
}

function faultsOf(parts: readonly Part[], more: Partial<StoredSnapshot> = {}): string[] {
  const chunks = more.chunks ?? parts.map(chunkOf);
  const digests = Buffer.concat(chunks.map((chunk) => hash('sha256', chunk, 'buffer')));
  const { revision, chain } = replica;
  const tree = replica.tree.peaks.join('');
  return snapshotFaults([{ revision, chain, tree, digests, chunks, ...more }], auditor);
}

/** The value with one of its leaves altered, once for each leaf. */
function* altered(value: unknown): Iterable<unknown> {
  if (typeof value === 'number') yield value + 1;
  else if (typeof value === 'boolean') yield !value;
  else if (value === null) yield 1;
  else if (typeof value === 'string') yield `${value}x`;
  else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) for (const other of altered(one)) yield value.with(index, other);
  } else
    for (const [key, one] of Object.entries(value as object))
      for (const other of altered(one)) yield { ...(value as object), [key]: other };
}

const withPart = (part: Part, ...others: Part[]): Part[] => honest.flatMap((one) => (one === part ? others : [one]));
const partOf = (name: string): Part => honest.find((one) => one.name === name) as Part;
const COLLECTIONS = Object.entries(emptyLedger()).flatMap(([name, part]) =>
  part instanceof Map || part instanceof Set ? [name] : [],
);
const FIELDS = Object.keys(partOf('fields').fields as object);

it('finds nothing wrong in the honest log and its snapshot, in which every part has entries', () => {
  expect(auditor.findings).toEqual([]);
  expect(honest.map(({ name }) => name)).toEqual(expect.arrayContaining(COLLECTIONS));
  expect(faultsOf(honest)).toEqual([]);
});

describe.each(COLLECTIONS)('of the collection %s', (name) => {
  const part = partOf(name);
  const entries = part.entries as unknown[];
  const withEntries = (others: unknown[]): Part[] => withPart(part, { ...part, entries: others });

  it('finds each altered value', () => {
    const snapshots = entries.flatMap((entry, index) =>
      [...altered(entry)].map((other) => withEntries(entries.with(index, other))),
    );
    expect(snapshots.length).toBeGreaterThan(0);
    for (const snapshot of snapshots) expect(faultsOf(snapshot)).toContainEqual(expect.stringContaining(` ${name}`));
  });

  it('finds a missing entry, and an added one', () => {
    const isKept = ([, value]: [string, unknown]) => value === 0;
    for (const [index, entry] of entries.entries()) {
      if (Array.isArray(entry) && isKept(entry as [string, unknown])) continue;
      expect(faultsOf(withEntries(entries.toSpliced(index, 1)))[0]).toContain(`lacks ${name}`);
    }
    const [first] = entries;
    const added = Array.isArray(first) ? ['another', first[1] === 0 ? 1 : first[1]] : 'another';
    expect(faultsOf(withEntries([...entries, added]))[0]).toContain(`${name}: another`);
  });
});

it.each(FIELDS)('finds each altered, missing and unknown value of the field %s', (name) => {
  const part = partOf('fields');
  const fields = part.fields as Record<string, unknown>;
  const withField = (value: unknown) => withPart(part, { ...part, fields: { ...fields, [name]: value } });
  const others = [...altered(fields[name]), undefined, { ...(fields[name] as object), unknown: 1 }];
  for (const other of others) expect(faultsOf(withField(other))[0]).toContain(`differs from the log in ${name}`);
});

it('knows every field of the game', () => {
  const { game } = partOf('fields').fields as { game: object };
  expect(Object.keys(game).sort()).toEqual(Object.keys(initialGame).sort());
});

it.each<[string, Part[], string]>([
  ['a collection', [...honest, { name: 'other', entries: [] }], 'has other, which this auditor does not know'],
  [
    'a field',
    withPart(partOf('fields'), { name: 'fields', fields: { ...(partOf('fields').fields as object), other: 1 } }),
    'has other, which this auditor does not know',
  ],
  ['a value in a part', withPart(partOf('staff'), { ...partOf('staff'), other: 1 }), 'has other in a part'],
  ['a second part of fields', [...honest, partOf('fields')], 'has 2 parts with its fields'],
  ['no fields', withPart(partOf('fields')), 'has 0 parts with its fields'],
  ['a part without entries', [...honest, { name: 'staff' }], 'cannot be read'],
])('reports an unknown part or field: %s', (_, parts, says) => {
  expect(faultsOf(parts)[0]).toContain(says);
});

it.each<[string, Partial<StoredSnapshot>]>([
  ['is of another log', { chain: '0'.repeat(64) }],
  ['has another tree than the log', { tree: '' }],
  ['was altered', { digests: Buffer.alloc(32) }],
  ['cannot be read', { chunks: [Buffer.from('no state')] }],
])('says that a snapshot %s', (says, more) => {
  expect(faultsOf(honest, more)[0]).toContain(says);
});
