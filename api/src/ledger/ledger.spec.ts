import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { type Line, MemoryLog, ToldLine } from './testing/faulty-log.js';
import { type Ended, LedgerNode } from './testing/node.js';
import { VirtualTime } from './testing/virtual-time.js';

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
/** Nothing that can be written as JSON: deciding on it throws. */
const poison: LedgerCommand = { type: 'ResetGame', reason: 'half a pair \ud83d' };

const typesIn = (memory: MemoryLog): string[] => memory.events.map(({ event }) => event.type);
const done = (revision: number) => ({ done: expect.objectContaining({ revision }) });

describe('the ledger', () => {
  let time: VirtualTime;
  let memory: MemoryLog;
  let nodes: LedgerNode[];

  beforeEach(() => {
    time = new VirtualTime(T0);
    memory = new MemoryLog();
    nodes = [];
  });

  afterEach(async () => {
    await time.until(Promise.all(nodes.map(({ ledger }) => ledger.stop())));
  });

  async function node(line: Line = new ToldLine()): Promise<LedgerNode> {
    const made = new LedgerNode(memory, line, time);
    nodes.push(made);
    return made.start();
  }

  /** Bob has 60 cents and the game is live. */
  async function liveGame(line?: Line): Promise<LedgerNode> {
    const one = await node(line);
    for (const command of [{ type: 'EnrolHouse', gamerId: 'house' }, enrol('bob'), fund(60), live] as const)
      await one.do(command);
    return one;
  }

  describe('alone', () => {
    it('answers with the events as the log has them', async () => {
      const one = await liveGame();
      const ended = await one.do(buy(1), 'bob', 'the-key');
      const events = memory.events.slice(-2);
      expect(events.map(({ event }) => event.type)).toEqual(['TokenPurchased', 'TimeExtended']);
      expect(events[0]?.metadata).toMatchObject({
        commandId: 'the-key',
        actor: { id: 'bob', role: 'gamer' },
        schema: 1,
      });
      const { position } = memory.events.at(-1) as { position: string };
      expect(ended).toEqual({
        done: { events: events.map((event) => ({ ...event, position })), revision: 6, position },
      });
    });

    it('answers nobody before the log has it', async () => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.latency = 1_000;
      let isAnswered = false;
      const sent = one.send(buy(1)).then(() => {
        isAnswered = true;
      });
      await time.pass(1_999);
      expect(isAnswered).toBe(false);
      expect(one.ledger.committed.game.purchases).toHaveLength(0);
      await time.until(sent);
      expect(one.ledger.committed.game.purchases).toHaveLength(1);
    });

    it('decides what gathers during an append as one batch, in the order it came', async () => {
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

    it('takes a command’s arrival as its time, and never goes back', async () => {
      const one = await liveGame();
      const endsAt = one.ledger.committed.game.endsAtEpochMs as number;
      time.skip(endsAt - 1 - time.now());
      const inTime = one.send(buy(1));
      await time.pass(500);
      expect(await time.until(inTime)).toEqual(done(6));
      expect(memory.events.at(-1)?.metadata.at).toBe(endsAt - 1);
    });

    it('does nothing when nothing is due', async () => {
      const one = await liveGame();
      const ended = await one.do({ type: 'AdvanceClock', lastAliveAtEpochMs: time.now() });
      expect(ended).toEqual({ done: { events: [], revision: 4, position: '500' } });
      expect(memory.events).toHaveLength(5);
    });

    it('refuses to let more than 20,000 wait', async () => {
      const one = await liveGame();
      const sent = Array.from({ length: 20_001 }, () => one.send(fund(0)));
      expect(await sent.at(-1)).toEqual({ unavailable: 'too many commands are waiting' });
      const [first, last] = await time.until(Promise.all([sent[0], sent[19_999]]));
      expect([first, last]).toEqual(
        Array(2).fill({ refused: expect.stringContaining('Adjustments must be whole cents') }),
      );
    });

    it('splits what is too much for one append', async () => {
      const one = await liveGame();
      const reason = 'r'.repeat(100_000);
      const sent = Array.from({ length: 20 }, () => one.send({ ...fund(1), reason } as LedgerCommand));
      for (const ended of await time.until(Promise.all(sent))) expect(ended).toHaveProperty('done');
      expect(one.log.appends.slice(-3).map((events) => events.length)).toEqual([9, 9, 2]);
    });
  });

  describe('with another node', () => {
    it('decides again what the other made impossible', async () => {
      const one = await liveGame();
      const two = await node();
      const ended = await time.until(Promise.all([one.send(buy(2)), two.send(buy(2))]));
      expect(ended).toContainEqual(done(6));
      expect(ended).toContainEqual({ refused: 'You need $0.60 but only have $0.00' });
      expect(typesIn(memory).filter((type) => type === 'TokenPurchased')).toHaveLength(1);
    });

    it('does not refuse on what it has not read yet', async () => {
      const one = await liveGame();
      const two = await node();
      await one.do(fund(30));
      // Two has not looked since: as far as it knows, Bob has 60 cents.
      expect(await two.do(buy(3))).toEqual(done(7));
    });

    it('does not refuse while it cannot know', async () => {
      const line = new ToldLine();
      const one = await liveGame();
      const two = await node(line);
      line.isAway = true;
      await one.do(fund(30));
      expect(await two.do(buy(3))).toEqual({ unavailable: 'the log did not take it in time' });
    });

    it('decides again what it refused only because of a purchase that the log did not take', async () => {
      const one = await liveGame();
      const two = await node();
      await one.do({ type: 'ResetGame', reason: '' });
      // Two still takes the game for live: Bob spends his 60 cents, and so they cannot be taken from him.
      const spent = two.send(buy(2));
      const taken = two.send(fund(-60));
      expect(await time.until(Promise.all([spent, taken]))).toEqual([
        { refused: 'Game is not active yet. Please wait for the next round.' },
        done(6),
      ]);
    });

    it('tells its listeners all events, whoever wrote them, once and in order', async () => {
      const one = await liveGame();
      const two = await node();
      for (let round = 0; round < 5; round += 1) {
        await time.until(Promise.all([one.send(enrol(`a${round}`)), two.send(enrol(`b${round}`))]));
      }
      await time.pass(200);
      const all = memory.events.map(({ id }) => id);
      expect(one.told.map(({ recorded }) => recorded.id)).toEqual(all);
      expect(two.told.map(({ recorded }) => recorded.id)).toEqual(all);
      expect(one.book.state).toEqual(two.book.state);
    });

    it('tells its listeners also what came before a read broke off', async () => {
      const line = new ToldLine();
      const one = await liveGame();
      const two = await node(line);
      line.isAway = true;
      await time.until(Promise.all([one.send(enrol('c1')), one.send(enrol('c2')), one.send(enrol('c3'))]));
      line.isAway = false;
      line.breakNextReadAfter = 2;
      await time.pass(1_000);
      expect(two.told.map(({ recorded }) => recorded.revision)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });
  });

  describe('when an answer is missing', () => {
    it.each([
      'is lost',
      'arrives unanswered',
      { unansweredArrivesAfterMs: 0 },
      { unansweredArrivesAfterMs: 150 },
      { unansweredArrivesAfterMs: 1_000 },
    ] as const)('appends once though the append %p', async (fate) => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.fates.push(fate);
      expect(await one.do(buy(1))).toEqual(done(6));
      await time.pass(5_000);
      expect(typesIn(memory).slice(5)).toEqual(['TokenPurchased', 'TimeExtended']);
    });

    it('sends the very same events again', async () => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.fates.push('is lost', 'is lost');
      await one.do(buy(1));
      const [first, second, third] = one.log.appends.slice(-3).map((events) => events.map(({ id }) => id));
      expect(second).toEqual(first);
      expect(third).toEqual(first);
    });

    it('waits between its tries', async () => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.fates.push(...Array(100).fill('is lost'));
      const before = one.log.appends.length;
      void one.send(buy(1));
      await time.pass(2_000);
      expect(one.log.appends.length - before).toBeLessThanOrEqual(11);
    });

    it('finds out that another node was first', async () => {
      const one = await liveGame();
      const line = new ToldLine();
      const two = await node(line);
      line.fates.push('is lost');
      const sent = two.send(buy(2));
      await one.do(buy(2));
      expect(await time.until(sent)).toEqual({ refused: 'You need $0.60 but only have $0.00' });
    });

    it('tells the sender after five seconds that it does not know, and the first result when asked again', async () => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.fates.push('arrives unanswered');
      const sent = one.send(buy(1), 'bob', 'the-key');
      line.isAway = true;
      await time.pass(4_900);
      let ended: unknown = null;
      void sent.then((how) => {
        ended = how;
      });
      await time.pass(0);
      expect(ended).toBeNull();
      await time.pass(500);
      expect(ended).toEqual({ unavailable: 'the log has not said yet' });
      line.isAway = false;
      await time.pass(1_000);
      expect(await one.do(buy(1), 'bob', 'the-key')).toEqual(done(6));
      expect(memory.events).toHaveLength(7);
    });

    it('gives up what waited too long behind it, without ever sending it', async () => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.isAway = true;
      const first = one.send(buy(1));
      await time.pass(10);
      const second = one.send(buy(1));
      expect(await time.until(second)).toEqual({ unavailable: 'the log did not take it in time' });
      expect(await time.until(first)).toEqual({ unavailable: 'the log has not said yet' });
      line.isAway = false;
      await time.pass(1_000);
      expect(typesIn(memory).filter((type) => type === 'TokenPurchased')).toHaveLength(1);
    });
  });

  describe('a repeated command', () => {
    it('is answered with the first result', async () => {
      const one = await liveGame();
      const first = await one.do(buy(1), 'bob', 'the-key');
      await one.do(enrol('carol'));
      const second = await one.do(buy(1), 'bob', 'the-key');
      expect(whatOf(second)).toEqual(whatOf(first));
      expect(whatOf(second)).toEqual({
        revision: 6,
        position: '700',
        ids: memory.events.slice(5, 7).map(({ id }) => id),
      });
      expect(typesIn(memory).filter((type) => type === 'TokenPurchased')).toHaveLength(1);
    });

    it('is answered with the first result by another node too, that has not read it yet', async () => {
      const one = await liveGame();
      const two = await node();
      const [first, second] = await time.until(
        Promise.all([one.send(buy(1), 'bob', 'k'), two.send(buy(1), 'bob', 'k')]),
      );
      expect([first, second]).toEqual([done(6), done(6)]);
      expect(typesIn(memory).filter((type) => type === 'TokenPurchased')).toHaveLength(1);
    });

    it('has one effect when it comes twice in one batch', async () => {
      const one = await liveGame();
      const both = [one.send(buy(1), 'bob', 'k'), one.send(buy(1), 'bob', 'k'), one.send(buy(2), 'bob', 'k')];
      const reused = { refused: 'This Idempotency-Key was used for a different request' };
      expect(await time.until(Promise.all(both))).toEqual([done(6), done(6), reused]);
      expect(memory.events).toHaveLength(7);
    });

    it('is refused with other content', async () => {
      const one = await liveGame();
      await one.do(buy(1), 'bob', 'k');
      expect(await one.do(buy(2), 'bob', 'k')).toEqual({
        refused: 'This Idempotency-Key was used for a different request',
      });
    });

    it('is not a repeat when somebody else used the id, or the first was refused', async () => {
      const one = await liveGame();
      await one.do(buy(1), 'bob', 'k');
      expect(await one.do(fund(30), 'admin', 'k')).toEqual(done(7));
      expect(await one.do(buy(3), 'bob', 'again')).toHaveProperty('refused');
      await one.do(fund(30));
      expect(await one.do(buy(3), 'bob', 'again')).toEqual(done(10));
    });

    it('is a new command after 24 hours', async () => {
      const one = await liveGame();
      await one.do(enrol('carol'), 'admin', 'k');
      await one.do(fund(1, 'carol'), 'admin', 'gift');
      time.skip(86_400_000 + 1_000);
      await one.do(fund(1));
      expect(await one.do(fund(1, 'carol'), 'admin', 'gift')).toEqual(done(8));
    });

    const whatOf = (ended: Ended) =>
      'done' in ended && { ...ended.done, events: undefined, ids: ended.done.events.map(({ id }) => id) };
  });

  describe('a command that cannot be decided', () => {
    it('fails alone: those around it are carried out', async () => {
      const one = await liveGame();
      const sent = [one.send(buy(1)), one.send(poison), one.send(enrol('carol')), one.send(poison), one.send(buy(1))];
      const [first, bad, second, worse, third] = await time.until(Promise.all(sent));
      expect([first, second, third]).toEqual([done(6), done(7), done(9)]);
      expect([bad, worse]).toEqual(Array(2).fill({ failed: expect.any(String) }));
      expect(one.broken).toBeNull();
      expect(typesIn(memory)).not.toContain('GameReset');
    });

    it('leaves nothing behind, though it broke in the middle', async () => {
      const one = await node();
      expect(await one.do(enrol('bob'))).toEqual({ failed: 'the house enrols first' });
      expect(await one.do({ type: 'EnrolHouse', gamerId: 'house' })).toEqual(done(0));
      expect(await one.do(enrol('bob'))).toEqual(done(1));
    });
  });

  describe('stopping', () => {
    it('finishes what is waiting and takes nothing more', async () => {
      const one = await liveGame();
      const sent = [one.send(buy(1)), one.send(enrol('carol'))];
      const stopped = one.ledger.stop();
      expect(await one.send(buy(1))).toEqual({ unavailable: 'the ledger is stopping' });
      await time.until(stopped);
      expect(await Promise.all(sent)).toEqual([done(6), done(7)]);
    });

    it('comes to an end though the log is away', async () => {
      const line = new ToldLine();
      const one = await liveGame(line);
      line.isAway = true;
      const sent = [one.send(buy(1)), one.send(buy(3))];
      const before = time.now();
      await time.until(one.ledger.stop());
      expect(time.now() - before).toBeLessThan(6_000);
      for (const ended of await Promise.all(sent)) expect(ended).toHaveProperty('unavailable');
    });
  });

  describe('breaks, and answers everybody,', () => {
    it('when the log is shorter than what was read from it', async () => {
      const one = await liveGame();
      memory.events.length = 2;
      const sent = [one.send(buy(1)), one.send(buy(1))];
      expect(await time.until(Promise.all(sent))).toEqual(Array(2).fill({ unavailable: 'the ledger stopped' }));
      expect(one.broken?.message).toBe('ledger: expected revision 4, actual 1');
      expect(await one.send(buy(1))).toEqual({ unavailable: 'the ledger is stopping' });
    });

    it('when an event was changed', async () => {
      const one = await liveGame();
      const two = await node();
      await one.do(fund(1));
      const { event } = memory.events.at(-1) as (typeof memory.events)[number];
      if (event.type === 'BalanceAdjusted') event.data.purchaseCents = 1_000_000;
      await time.pass(100);
      expect(two.broken?.message).toBe('ledger@5: its chain does not follow from the event before it');
    });
  });
});
