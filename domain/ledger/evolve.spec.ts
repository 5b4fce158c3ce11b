import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { ADMIN } from '../testing/actors.js';
import { BOB, DAY, T0 } from '../testing/constants.js';
import { adminEnrolled, enrolledGamers, funded } from '../testing/gamers.js';
import { roundLive, tokenPurchased } from '../testing/rounds.js';
import { given } from '../testing/scenario.js';
import { evolve, forgetOld } from './evolve.js';
import { commandKey, emptyLedger, type LedgerState, revisionOfCommand } from './ledger-state.js';
import { directChanges } from './undo-log.js';

const evolveBy = (state: LedgerState, event: LedgerEvent, atMs: number, commandId: string, revision: number) =>
  evolve(state, { revision, event, metadata: { at: atMs, actor: ADMIN, commandId } }, directChanges);

describe('evolving by an event', () => {
  it('throws for an event earlier than the one before', () => {
    const state = emptyLedger();
    evolveBy(state, adminEnrolled(), T0, 'c1', 0);
    expect(() => evolveBy(state, { type: 'TimersChanged', data: state.game.timers }, T0 - 1, 'c2', 1)).toThrow(
      'ledger@1 is earlier than the event before it',
    );
  });

  it.each([
    ['an event that makes a balance negative', 29, 13, -1, 'gamer:bob:purchase would be at -1 cents'],
    ['a jackpot that differs from its account', 30, 14, 0, "the game's jackpot differs from the account's"],
  ])('throws for %s', (_, fundedCents, jackpotCents, purchaseBalanceCents, message) => {
    const after = { jackpotCents, purchaseBalanceCents };
    const purchase = tokenPurchased({ purchaseId: 'p1', buyerId: BOB, quantity: 1, ...after });
    expect(() => given(enrolledGamers(), funded(BOB, fundedCents), roundLive(T0 + 1), purchase)).toThrow(message);
  });
});

it('the memory of settlements keeps the newest ten thousand', () => {
  const state = emptyLedger();
  for (let number = 0; number < 10_001; number += 1) {
    state.settlements.set(`d${number}`, { source: 'deposit', status: 'approved' });
  }
  forgetOld(state);
  expect(state.settlements.size).toBe(10_000);
  expect(['d0', 'd1', 'd10000'].map((id) => state.settlements.has(id))).toEqual([false, true, true]);
});

describe('the memory of commands', () => {
  const knows = (state: LedgerState, commandId: string, actorId = 'admin') =>
    revisionOfCommand(state, commandKey(actorId, commandId));

  it('has the revision of the command’s first event, by actor and id', () => {
    const state = emptyLedger();
    evolveBy(state, adminEnrolled(), T0, 'c1', 0);
    evolveBy(state, { type: 'TimersChanged', data: state.game.timers }, T0, 'c1', 1);
    expect([...state.commands.values()]).toEqual([0]);
    expect([knows(state, 'c1'), knows(state, 'c1', 'bob'), knows(state, 'c2')]).toEqual([0, undefined, undefined]);
  });

  it('keeps a command for 24 hours, and a little longer', () => {
    const state = emptyLedger();
    const commandAt = (atMs: number, commandId: string) => {
      evolveBy(state, { type: 'TimersChanged', data: state.game.timers }, atMs, commandId, state.commands.size);
      forgetOld(state);
    };
    commandAt(T0, 'first');
    commandAt(T0 + DAY, 'c1');
    expect([knows(state, 'first'), knows(state, 'c1')]).toEqual([0, 0]);
    commandAt(T0 + DAY + 1, 'c2');
    expect([knows(state, 'first'), knows(state, 'c1'), knows(state, 'c2')]).toEqual([undefined, 0, 1]);
    commandAt(T0 + 2 * DAY + 1, 'c3');
    expect(knows(state, 'c2')).toBe(1);
  });

  it('keeps the last half a million commands', () => {
    const state = emptyLedger();
    let next = 0;
    const remember = (count: number) => {
      for (const end = next + count; next < end; next += 1) state.commands.set(`${next}`, next);
      forgetOld(state);
      return [state.commands.size, state.olderCommands.size];
    };
    expect(remember(499_999)).toEqual([499_999, 0]);
    expect(remember(1)).toEqual([0, 500_000]);
    expect(remember(1)).toEqual([1, 500_000]);
  });
});
