import type { TicketEvent } from '../../../contracts/events/gamer-events.js';
import type { Recorded } from '../../../contracts/events/recorded.js';
import { EventLog } from '../../../event-log/event-log.js';
import * as eventLog from '../../../event-log/event-log.types.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import type { Clock } from '../platform/clock.js';
import { Refused, Unavailable } from '../platform/failures.js';
import { type StreamCommand, StreamCommands } from './stream-commands.js';

let memory: StreamsInMemory;
let now: number;
let fault: string | null;
let reads: number;
let appendErrors: Error[];
let beforeAppend: () => Promise<void>;

beforeEach(() => {
  memory = new StreamsInMemory();
  [now, fault, reads, appendErrors] = [1_000, null, 0, []];
  beforeAppend = async () => {};
});

const log = {
  async readWithHead(stream: string) {
    reads += 1;
    const events = memory.read(stream);
    return { events: events.filter(({ event }) => event.type === 'TicketNoted'), head: events.length - 1 };
  },
  async append(stream: string, events: eventLog.NewEvent[], expected: number) {
    await beforeAppend();
    const error = appendErrors.shift();
    if (error && !(error instanceof eventLog.UnknownOutcome)) throw error;
    const result = memory.append(stream, events, expected);
    if (error) throw error;
    return result;
  },
} as unknown as EventLog;

type NoteEvent = Extract<TicketEvent, { type: 'TicketNoted' }>;
type Command = StreamCommand<unknown[], NoteEvent>;
const note = (adminNotes: string): NoteEvent => ({ type: 'TicketNoted', data: { ticketId: 't', adminNotes } });

/** The admin notes a text; the state is the list of the stream's texts. */
function send(
  commandId: string,
  text: string,
  more: Partial<Command> = {},
  expectedVersion?: string,
  actorId = 'admin',
) {
  const clock = { now: () => now, fault } as Clock;
  return new StreamCommands(log, clock).execute<unknown[], NoteEvent>({
    stream: 'ticket-t',
    initial: [],
    evolve: (texts, { event }) => [...texts, event.data.adminNotes],
    decide: () => ({ events: [note(text)] }),
    metadata: {
      actor: { id: actorId, role: 'admin' },
      commandId,
      ...(expectedVersion !== undefined && { expectedVersion }),
    },
    content: { type: 'Note', text },
    ...more,
  });
}
const stored = () => memory.all.map(({ event }) => (event as NoteEvent).data.adminNotes);
const refusedWith = (code: string, more: object = {}) => ({ refusal: { code, ...more } });

it('appends its events at the head of the stream, which may hold events of other programs', async () => {
  await send('c1', 'one');
  const [first] = memory.all as [Recorded];
  memory.append('ticket-t', [{ ...first, id: 'foreign', event: { type: 'Foreign', data: {} } as never }], 0);
  const evolve: Command['evolve'] = (revisions, { revision }) => [...revisions, revision];
  const result = await send('c2', '', { evolve, decide: () => ({ events: [note('two'), note('three')] }) });
  expect(result).toEqual({ events: [note('two'), note('three')], state: [0, 2, 3], revision: 3, position: '400' });
});

it('records its sender, its key, the hash of its content if it has any, and a time that never runs backwards', async () => {
  await send('c1', 'one');
  now = 900;
  await send('c2', 'two', { content: null });
  const actor = { id: 'admin', role: 'admin' };
  expect(memory.all.map(({ metadata }) => metadata)).toEqual([
    { actor, commandId: 'c1', at: 1_000, schema: 1, commandHash: expect.any(String) },
    { actor, commandId: 'c2', at: 1_000, schema: 1 },
  ]);
});

it('with a used key returns its first events with the state of today, though the clock or the version would refuse a new command', async () => {
  const first = await send('c1', 'one', { decide: () => ({ events: [note('one'), note('two')] }) });
  await send('c2', 'three');
  fault = 'the clock is wrong';
  const replayed = await send('c1', 'one', { decide: () => ({ events: [] }), version: String }, 'old');
  expect(replayed).toEqual({ ...first, state: ['one', 'two', 'three'] });
});

it.each<[string, string, Partial<Command>, Partial<Command>, string[] | null]>([
  ['refuses other content', 'admin', {}, {}, null],
  ['refuses content when the first command had none', 'admin', { content: null }, {}, null],
  ['returns the first events when the key alone determines the content', 'admin', {}, { content: null }, ['one']],
  ['is a new command of another sender', 'other', {}, {}, ['two']],
])('with a used key %s', async (_rule, actorId, first, second, texts) => {
  await send('c1', 'one', first);
  const sent = send('c1', 'two', second, undefined, actorId);
  if (texts === null) await expect(sent).rejects.toMatchObject(refusedWith('idempotency-key-reused'));
  else expect((await sent).events).toEqual(texts.map(note));
  expect(stored()).toEqual(actorId === 'other' ? ['one', 'two'] : ['one']);
});

it('is appended once when its key is sent twice at the same time', async () => {
  const [one, two] = await Promise.all([send('c1', 'one'), send('c1', 'one')]);
  expect(two).toEqual(one);
  expect(stored()).toEqual(['one']);
});

it.each([
  ['accepts the version that its sender read', 'one', '1', undefined],
  ['accepts a sender who read none', 'one', undefined, undefined],
  ['refuses after a change, and names who made it', 'one', '0', 'admin'],
  ['refuses a version that never was', '', '7', null],
])('%s', async (_rule, text, expectedVersion, by) => {
  // The version counts the texts that are not empty, so the second command does not change it.
  const version = (texts: unknown[]) => String(texts.filter(Boolean).length);
  await send('c1', text);
  await send('c2', '', {}, undefined, 'other');
  const sent = send('c3', 'three', { version }, expectedVersion);
  if (by === undefined) await sent;
  else await expect(sent).rejects.toMatchObject(refusedWith('changed-meanwhile', { parameters: { by } }));
  expect(stored()).toHaveLength(by === undefined ? 3 : 2);
});

it('is refused with an untrusted clock, unless it records what has happened already', async () => {
  fault = 'the clock is 9000 ms ahead of Postgres’ clock';
  await expect(send('c1', 'one')).rejects.toMatchObject(refusedWith('clock-untrusted'));
  expect((await send('c1', 'one', { isRecord: true })).revision).toBe(0);
});

it.each([
  ['is empty', [], { revision: -1, position: '0', state: [] }],
  ['has events', ['one'], { revision: 0, position: '100', state: ['one'] }],
])('appends nothing when it changes nothing or is refused, while the stream %s', async (_case, texts, expected) => {
  for (const text of texts) await send('c1', text);
  expect(await send('c2', '', { decide: () => ({ events: [] }) })).toEqual({ events: [], ...expected });
  const refused = send('c3', '', { decide: () => ({ refusal: { code: 'not-found' } }) });
  await expect(refused).rejects.toMatchObject(refusedWith('not-found'));
  expect(stored()).toEqual(texts);
});

const conflict = new eventLog.WrongExpectedRevision('ticket-t', 0, 1);
const unanswered = new eventLog.UnknownOutcome('no response');
const tombstoned = new eventLog.StreamTombstoned('ticket-t: deleted');
const tooLarge = new eventLog.AppendRefused('too large');
it.each<[string, Error[], number, Error | null]>([
  ['is decided again after a conflict', Array(7).fill(conflict), 8, null],
  ['gives up after eight conflicts', Array(8).fill(conflict), 8, new Unavailable(conflict.message)],
  ['finds its events in the stream after an unknown outcome', [unanswered], 2, null],
  ['is unavailable while the log is', [new eventLog.LogUnavailable('no log')], 1, new Unavailable('no log')],
  ['is refused when the stream was tombstoned after it was read', [tombstoned], 1, new Refused('not-found')],
  ['passes on that the log refused the append', [tooLarge], 1, tooLarge],
])('%s', async (_rule, errors, tries, error) => {
  appendErrors = [...errors];
  const ended = await send('c1', 'one').catch((thrown: Error) => thrown);
  if (error) expect([ended.constructor, ended]).toEqual([error.constructor, error]);
  else expect(ended).toMatchObject({ events: [note('one')], state: ['one'], revision: 0 });
  expect(reads).toBe(tries);
  expect(stored()).toEqual(error ? [] : ['one']);
});

it.each([
  ['never ends', 1, () => new Promise<never>(() => {})],
  ['has no response, twice', 2, () => new Promise<never>((_, reject) => setTimeout(reject, 2_500, unanswered))],
])('is answered after five seconds, and not tried again, while its append %s', async (_case, tries, append) => {
  jest.useFakeTimers({ now: 0 });
  beforeAppend = append;
  const answered = send('c1', 'one').catch(({ message }: Error) => [message, performance.now()]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await answered).toEqual(['ticket-t: the log did not confirm the command in time', 5_000]);
  expect(reads).toBe(tries);
  jest.useRealTimers();
});
