import { CHAIN_START, chainAfter } from '../../../domain/chain.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { copyOf } from '../../../domain/testing/copy.js';
import { Draft, type Submission } from './draft.js';
import { LedgerBook } from './ledger-book.js';

const T0 = Date.UTC(2026, 0, 1, 12);
let made = 0;
const newEventId = () => {
  made += 1;
  return `event${made}`;
};
const by = (command: LedgerCommand, more: Partial<Submission> = {}): Submission => {
  made += 1;
  return {
    command,
    commandId: `c${made}`,
    actor: { id: 'admin', role: 'admin' },
    arrivedAt: T0,
    freshId: `f${made}`,
    ...more,
  };
};
const house = by({ type: 'EnrolHouse', gamerId: 'house' });
const start: LedgerCommand = { type: 'StartGame' };

function drafted(book: LedgerBook, ...submissions: Submission[]): Draft {
  const draft = new Draft(book, newEventId);
  for (const submission of submissions) draft.add(submission);
  return draft;
}

it('tells of each command what became of it', () => {
  const book = new LedgerBook();
  const repeated = by(start);
  const draft = drafted(
    book,
    house,
    repeated,
    by(start),
    repeated,
    { ...repeated, command: { type: 'ResetGame', reason: '' } },
    by({ type: 'AdvanceClock', lastAliveAtEpochMs: T0 }),
  );
  const { committed, outcomes } = draft.commit('700');
  expect(outcomes).toEqual([
    { kind: 'accepted', events: [committed[0]?.recorded] },
    { kind: 'accepted', events: [committed[1]?.recorded] },
    { kind: 'refused', refusal: { code: 'game-not-idle' } },
    { kind: 'repeat', revision: 1 },
    { kind: 'refused', refusal: { code: 'idempotency-key-reused' } },
    { kind: 'idle' },
  ]);
  expect(book).toMatchObject({ revision: 1, position: '700', chain: committed[1]?.recorded.metadata.chain });
});

it('is ahead of its book until it is committed, and undone without a trace', () => {
  const book = new LedgerBook();
  drafted(book, house).commit('100');
  const before = copyOf(book);
  const draft = drafted(
    book,
    by(start),
    by({ type: 'ForceStartLive' }),
    by({ type: 'EnrolGamer', gamerId: 'bob', sponsorId: null }),
  );
  expect(book.state.game.phase).toBe('live');
  expect(book.revision).toBe(0);
  draft.undo();
  expect(copyOf(book)).toEqual(before);
});

it('leaves it to its user to undo what broke in the middle', () => {
  const book = new LedgerBook();
  const before = copyOf(book);
  const draft = drafted(book, house);
  expect(() => draft.add(by({ type: 'ResetGame', reason: '\ud800' }))).toThrow();
  draft.undo();
  expect(copyOf(book)).toEqual(before);
});

it('chains its events to the book’s and to one another', () => {
  const draft = drafted(new LedgerBook(), house, by(start));
  let chain = CHAIN_START;
  for (const { id, event, metadata } of draft.newEvents) {
    chain = chainAfter(chain, id, event, metadata);
    expect(metadata.chain).toBe(chain);
  }
  expect(draft.eventCount).toBe(2);
});

it('takes as a command’s time its arrival, but never a time before the last event', () => {
  const draft = drafted(new LedgerBook(), { ...house, arrivedAt: T0 + 10 }, by(start, { arrivedAt: T0 }));
  expect(draft.newEvents.map(({ metadata }) => metadata.at)).toEqual([T0 + 10, T0 + 10]);
});

it('is not smaller than what it sends', () => {
  const draft = drafted(new LedgerBook(), house, by(start), by({ type: 'ResetGame', reason: 'ü'.repeat(500) }));
  const bytes = draft.newEvents.map(({ id, event, metadata }) =>
    Buffer.byteLength(JSON.stringify({ id, event, metadata })),
  );
  expect(draft.size).toBeGreaterThanOrEqual(bytes.reduce((sum, size) => sum + size, 0));
});
