import timersPromises from 'node:timers/promises';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { refusalText } from '../../../contracts/refusals.js';
import type { BatchPayout, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { type Line, ScriptedLine } from '../../test/faulty-log.js';
import { LedgerNode } from '../../test/ledger-node.js';
import { replaceTimers } from '../../test/simulator/globals.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { Unavailable } from '../platform/failures.js';
import type { LedgerDependencies } from './ledger.js';
import { dataOf, ledgerCommand } from './ledger-command.js';
import { LedgerReplica } from './ledger-replica.js';

const T0 = Date.UTC(2026, 0, 1, 12);
const buy = (quantity: number, buyerId = 'bob'): LedgerCommand => ({ type: 'BuyTokens', buyerId, quantity });
const fund = (purchaseCents: number, gamerId = 'bob'): LedgerCommand => ({
  type: 'AdjustBalance',
  gamerId,
  purchaseCents,
  winningsCents: 0,
  reason: 'opening',
});
const enrol = (gamerId: string): LedgerCommand => ({ type: 'EnrolGamer', gamerId, sponsorId: null });
const live: LedgerCommand = { type: 'ForceStartLive' };
/** Cannot be encoded as JSON, so deciding on it throws. */
const poison: LedgerCommand = { type: 'ResetGame', reason: 'half a pair \ud83d' };

const typesIn = (memory: StreamsInMemory): string[] => memory.ledger.map(({ event }) => event.type);
const done = (revision: number) => ({ done: expect.objectContaining({ revision }) });

let time: VirtualTime;
let restoreTimers: () => void;
let memory: StreamsInMemory;
/** The first node's way to the log. */
let line: ScriptedLine;
let nodes: LedgerNode[];

beforeEach(() => {
  time = new VirtualTime(T0);
  restoreTimers = replaceTimers(time);
  memory = new StreamsInMemory();
  line = new ScriptedLine();
  nodes = [];
});

afterEach(async () => {
  await time.until(Promise.all(nodes.map(({ ledger }) => ledger.stop())));
  jest.restoreAllMocks(); // before the timers: at the file's end jest would put simulated ones back
  restoreTimers();
});

async function node(line: Line = new ScriptedLine(), more: Partial<LedgerDependencies> = {}): Promise<LedgerNode> {
  const made = new LedgerNode(memory, line, time, more);
  nodes.push(made);
  return made.start();
}

/** Bob has 60 cents and the game is live. */
async function liveGame(): Promise<LedgerNode> {
  const one = await node(line);
  for (const command of [{ type: 'EnrolAdmin', gamerId: 'admin' }, enrol('bob'), fund(60), live] as const)
    await one.do(command);
  return one;
}

describe('alone', () => {
  it('writes the texts of a command encrypted', async () => {
    const one = await node(new ScriptedLine(), {
      encrypt: (command) =>
        command.type === 'AdjustBalance' ? Promise.resolve({ ...command, reason: 'encrypted:1:bob:' }) : null,
    });
    for (const command of [{ type: 'EnrolAdmin', gamerId: 'admin' }, enrol('bob'), fund(60)] as const)
      expect(await one.do(command)).toEqual(done(expect.any(Number)));
    expect(memory.ledger.at(-1)?.event.data).toMatchObject({ reason: 'encrypted:1:bob:' });
  });

  it('decides the commands that gather during an append as one batch, in order of arrival', async () => {
    const one = await liveGame();
    const before = one.log.appends.length;
    const first = one.send(buy(1));
    await time.pass(0);
    const others = [one.send(enrol('c1')), one.send(enrol('c2')), one.send(buy(1)), one.send(buy(1))];
    expect(await time.until(Promise.all([first, ...others]))).toEqual([
      done(6),
      done(7),
      done(8),
      done(10),
      { refused: 'You need $0.30 but only have $0.00' },
    ]);
    expect(one.log.appends.slice(before).map((events) => events.length)).toEqual([2, 4]);
  });

  it('answers a purchase that arrives after zero within six seconds when the round is not decided', async () => {
    const one = await liveGame();
    time.skip((one.ledger.committed.game.endsAtEpochMs as number) - time.now());
    const startedAtMs = time.now();
    expect(await one.do(buy(1))).toEqual({ unavailable: 'the log did not accept the command in time' });
    expect(time.now() - startedAtMs).toBeLessThanOrEqual(6_000);
  });

  it('refuses a command while 20,000 are waiting', async () => {
    const one = await liveGame();
    const sent = Array.from({ length: 20_001 }, () => one.send(fund(0)));
    expect(await sent.at(-1)).toEqual({ unavailable: 'too many commands are waiting' });
    expect(await Promise.race([sent[19_999], 'waiting'])).toBe('waiting');
  });

  it('splits commands whose bytes are too many for one append', async () => {
    const one = await liveGame();
    const reason = 'ü'.repeat(50_000);
    const sent = Array.from({ length: 20 }, () => one.send({ ...fund(1), reason } as LedgerCommand));
    for (const ended of await time.until(Promise.all(sent))) expect(ended).toHaveProperty('done');
    expect(one.log.appends.slice(-3).map((events) => events.length)).toEqual([9, 9, 2]);
  });
});

it('refuses as unavailable a command whose events some running process cannot read yet', async () => {
  const one = await node(line, { mayWrite: (type) => type !== 'LiveStarted' });
  await one.do({ type: 'EnrolAdmin', gamerId: 'admin' });
  // The first event of this command, GameStarted, could be read.
  expect(await one.do(live)).toEqual({ refused: refusalText({ code: 'unavailable' }) });
  expect(typesIn(memory)).toEqual(['GamerEnrolled']);
});

it('sets no timer for each command', async () => {
  const one = await liveGame();
  one.ledger.isAlone = true;
  await time.pass(1_000);
  const timers = jest.spyOn(timersPromises, 'setTimeout');
  for (let sent = 0; sent < 50; sent += 1) await one.do(fund(1));
  expect(timers.mock.calls.length).toBeLessThan(5);
});

it('holds commands from zero until the round is ended, but refuses a reset', async () => {
  const one = await liveGame();
  await one.do(buy(1));
  // Zero was long ago for the last event: a command other than a purchase waits, too.
  time.skip((one.ledger.committed.game.endsAtEpochMs as number) - time.now() + 3_001);
  const answered: string[] = [];
  const send = (name: string, command: LedgerCommand) => one.send(command).finally(() => answered.push(name));
  const held = [send('buy', buy(1)), send('enrol', enrol('zoe'))];
  const undecided = { refused: refusalText({ code: 'round-being-decided' }) };
  expect(await one.do({ type: 'ResetGame', reason: 'r' })).toEqual(undecided);
  held.push(send('buy again', buy(1)), send('tick', { type: 'AdvanceClock', lastAliveAtMs: time.now() }));
  await time.until(Promise.all(held));
  expect(answered).toEqual(['tick', 'buy', 'enrol', 'buy again']);
  expect(typesIn(memory).slice(-2)).toEqual(['RoundEnded', 'GamerEnrolled']);
});

it('decides nothing while the log is not the one that was signed', async () => {
  const one = await node(line, { fault: () => new Unavailable('the log lost events') });
  expect(await one.do({ type: 'EnrolAdmin', gamerId: 'admin' })).toEqual({ unavailable: 'the log lost events' });
  expect(memory.ledger).toEqual([]);
});

it.each([
  ['arrived three seconds ago', -3_000, 2_000],
  ['claims to arrive later', 3_000, 5_000],
])('gives a command five seconds from its arrival: one that %s', async (_case, arrivedInMs, leftMs) => {
  const one = await liveGame();
  line.isUnavailable = true;
  const actor = { id: 'admin', role: 'admin' } as const;
  const metadata = { actor, commandId: 'k', receivedAtMs: time.now() + arrivedInMs };
  const sentAtMs = time.now();
  await expect(time.until(one.ledger.execute(fund(1), metadata))).rejects.toThrow('outcome of the append is unknown');
  expect(time.now() - sentAtMs).toBeGreaterThan(leftMs);
  expect(time.now() - sentAtMs).toBeLessThan(leftMs + 500);
});

it('reads an unavailable log five times a second, and refreshes within two seconds or says that it cannot', async () => {
  const one = await liveGame();
  line.isUnavailable = true;
  const [reads, startedAtMs] = [one.log.reads, time.now()];
  await expect(time.until(one.ledger.refresh())).rejects.toThrow(new Unavailable('the log did not answer in time'));
  expect(time.now() - startedAtMs).toBe(2_000);
  expect(one.log.reads - reads).toBeCloseTo(10, -1);
});

it('reads the log at once on request', async () => {
  const one = await liveGame();
  const two = await node();
  two.ledger.isAlone = true;
  await time.pass(1_000);
  await one.do(enrol('zoe'));
  const requestedAtMs = time.now();
  await time.until(two.ledger.refresh());
  expect(time.now() - requestedAtMs).toBeLessThan(50);
  expect(two.ledger.head.revision).toBe(one.ledger.head.revision);
});

describe('when the response to an append is missing', () => {
  it('waits between its retries', async () => {
    const one = await liveGame();
    line.appendFaults.push(...Array(100).fill('is lost'));
    const before = one.log.appends.length;
    void one.send(buy(1));
    await time.pass(2_000);
    expect(one.log.appends.length - before).toBeLessThanOrEqual(11);
  });

  it('reports unavailable after five seconds, also to commands behind it, and later returns the first result', async () => {
    const one = await liveGame();
    line.appendFaults.push('arrives without a response');
    const sentAtMs = time.now();
    const sent = one.send(buy(1), 'the-key');
    line.isUnavailable = true;
    await time.pass(10);
    const behind = one.send(buy(1));
    expect(await time.until(sent)).toEqual({ unavailable: 'the outcome of the append is unknown' });
    expect(time.now() - sentAtMs).toBeGreaterThan(4_900);
    expect(await time.until(behind)).toEqual({ unavailable: 'the log did not accept the command in time' });
    line.isUnavailable = false;
    await time.pass(1_000);
    expect(await one.do(buy(1), 'the-key')).toEqual(done(6));
    expect(memory.ledger).toHaveLength(7);
  });
});

describe('a repeated command', () => {
  it('returns the first result, all its events and no others, or is refused for other content', async () => {
    const one = await liveGame();
    const waiting = [buy(1), buy(1), buy(2)].map((command) => one.send(command, 'k'));
    await time.pass(0);
    waiting.push(one.send(buy(1), 'k'));
    await time.until(Promise.all(waiting));
    await one.do(fund(1), 'k');
    await one.do(fund(1));
    expect(await one.do(fund(1), 'k')).toEqual({ done: expect.objectContaining({ events: [memory.ledger[7]] }) });
    const [first, sameBatch, other, nextBatch] = await Promise.all(waiting);
    const both = [5, 6].map((revision) => expect.objectContaining({ revision }));
    const result = { done: { events: both, revision: 6, position: '700' } };
    expect([first, sameBatch, nextBatch, await one.do(buy(1), 'k')]).toEqual(Array(4).fill(result));
    const reused = { refused: refusalText({ code: 'idempotency-key-reused' }) };
    expect([other, await one.do(buy(2), 'k')]).toEqual([reused, reused]);
    expect(memory.ledger).toHaveLength(9);
  });

  it('returns all its events, also the five orders of a batch of payouts', async () => {
    const one = await liveGame();
    await one.do({ type: 'AdjustBalance', gamerId: 'bob', purchaseCents: 0, winningsCents: 5_000, reason: 'prize' });
    const request = { amountCents: 1_000, cryptoType: 'BTC', walletAddress: 'bc1q' } as const;
    const update = { status: 'processing', adminNotes: null, txid: null } as const;
    const payouts: BatchPayout[] = [];
    for (const payoutId of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      await one.do({ type: 'RequestWithdrawal', gamerId: 'bob', request });
      const withdrawalId = [...one.replica.state.withdrawals.keys()].at(-1) as string;
      await one.do({ type: 'UpdateWithdrawal', withdrawalId, update });
      payouts.push({ withdrawalId, payoutId, amount: '0.01' });
    }
    const first = await one.do({ type: 'OrderPayouts', batchId: '77', payouts }, 'k');
    await one.do(fund(1));
    const events = [16, 17, 18, 19, 20].map((revision) => expect.objectContaining({ revision }));
    const result = { done: { events, revision: 20, position: '2100' } };
    expect([first, await one.do({ type: 'OrderPayouts', batchId: '77', payouts }, 'k')]).toEqual([result, result]);
  });

  it('is a new command when another actor used the id, or the first attempt was refused', async () => {
    const one = await liveGame();
    await one.do(buy(1), 'k');
    expect(await one.do(fund(30), 'k')).toEqual(done(7));
    expect(await one.do(buy(3), 'again')).toHaveProperty('refused');
    await one.do(fund(30));
    expect(await one.do(buy(3), 'again')).toEqual(done(10));
  });
});

describe('a command whose decision throws', () => {
  it('fails alone; the other commands of its batch succeed', async () => {
    const one = await liveGame();
    const sent = [one.send(buy(1)), one.send(poison), one.send(enrol('carol')), one.send(poison), one.send(buy(1))];
    const [first, bad, second, worse, third] = await time.until(Promise.all(sent));
    expect([first, second, third]).toEqual([done(6), done(7), done(9)]);
    expect([bad, worse]).toEqual(Array(2).fill({ failed: expect.any(String) }));
    expect(one.broken).toBeNull();
    expect(typesIn(memory)).not.toContain('GameReset');
  });

  it('leaves no partial changes in the state', async () => {
    const one = await node();
    expect(await one.do(enrol('bob'))).toEqual({ failed: 'the admin enrols first' });
    expect(await one.do({ type: 'EnrolAdmin', gamerId: 'admin' })).toEqual(done(0));
    expect(await one.do(enrol('bob'))).toEqual(done(1));
  });
});

describe('stopping', () => {
  it('finishes the waiting commands and accepts no more', async () => {
    const one = await liveGame();
    const sent = [one.send(buy(1)), one.send(enrol('carol'))];
    const stopped = one.ledger.stop();
    expect(await one.send(buy(1))).toEqual({ unavailable: 'the ledger is stopping' });
    await time.until(stopped);
    expect(await Promise.all(sent)).toEqual([done(6), done(7)]);
  });

  it('ends even while the log is unavailable', async () => {
    const one = await liveGame();
    line.isUnavailable = true;
    const sent = [one.send(buy(1)), one.send(buy(3))];
    const before = time.now();
    await time.until(one.ledger.stop());
    expect(time.now() - before).toBeLessThan(6_000);
    for (const ended of await Promise.all(sent)) expect(ended).toHaveProperty('unavailable');
  });
});

describe('breaks, and rejects all commands,', () => {
  it('when the log has lost events', async () => {
    const one = await liveGame();
    memory.ledger.length = 2;
    const sent = [one.send(buy(1)), one.send(buy(1))];
    expect(await time.until(Promise.all(sent))).toEqual(Array(2).fill({ unavailable: 'the ledger stopped' }));
    expect(one.broken?.message).toBe('ledger: expected revision 4, actual 1');
    expect(await one.send(buy(1))).toEqual({ unavailable: 'the ledger is stopping' });
  });

  it('when an event was altered', async () => {
    const one = await liveGame();
    const two = await node();
    await one.do(fund(1));
    const [recorded] = memory.ledger.splice(-1) as [(typeof memory.ledger)[number]];
    const event = { ...recorded.event, data: { ...recorded.event.data, purchaseCents: 1_000_000 } };
    memory.ledger.push({ ...recorded, event } as typeof recorded);
    await time.pass(100);
    expect(two.broken?.message).toBe('ledger@5: its chain does not follow from the event before it');
  });

  it('when an event is missing between two', () => {
    const later = { revision: 1 } as RecordedLedgerEvent;
    expect(() => new LedgerReplica().evolve(later)).toThrow('ledger@1 came after ledger@-1');
  });
});

it("a bus command executes with its metadata; the response is made from the command and its event's data", async () => {
  const one = await liveGame();
  const Buy = ledgerCommand('BuyTokens', ({ type, quantity }, result) => ({
    bought: [type, quantity, dataOf(result, 'TokenPurchased').buyerId],
    absent: () => dataOf(result, 'RoundEnded'),
  }));
  const command = new Buy({ buyerId: 'bob', quantity: 2 }, { actor: { id: 'bob', role: 'gamer' }, commandId: 'c1' });
  const { position, body } = await time.until(new Buy.Handler(one.ledger).execute(command));
  const last = memory.ledger.at(-1);
  expect(position).toBe(String(last?.position));
  expect(last?.metadata).toMatchObject({ commandId: 'c1', actor: { id: 'bob' } });
  expect(body.bought).toEqual(['BuyTokens', 2, 'bob']);
  expect(body.absent).toThrow('the command was accepted without RoundEnded');
});
