import assert from 'node:assert/strict';
import { honest } from '../../audit/testing/forgeries.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import { frozenCopy, restored } from '../testing/copy.js';
import { CopyOnWriteMap } from './copy-on-write-map.js';
import { decide } from './decide.js';
import { evolve } from './evolve.js';
import type { LedgerCommand } from './ledger-commands.js';
import { copyState, restorePart } from './ledger-snapshot.js';
import { emptyLedger, type LedgerState } from './ledger-state.js';
import { directChanges } from './undo-log.js';

function submit(state: LedgerState, command: LedgerCommand, atMs: number, number: number): void {
  const context = { atMs, receivedAtMs: atMs, actor: SYSTEM, freshId: `f${number}` };
  const decision = decide(state, command, context);
  assert.ok(!decision.refusal, `${command.type} is refused`);
  for (const [index, event] of decision.events.entries()) {
    const metadata = { at: atMs, actor: SYSTEM, commandId: `c${number}` };
    evolve(state, { revision: number * 10 + index, event, metadata }, directChanges);
  }
}

/** The state after the auditor's honest history, in a live round. */
function fullState(): LedgerState {
  const state = emptyLedger();
  for (const one of honest()) evolve(state, one, directChanges);
  submit(state, { type: 'AdvanceClock', lastAliveAtMs: state.atMs + 1 }, state.atMs + 1, 98);
  submit(state, { type: 'ForceStartLive' }, state.atMs + 1, 99);
  return state;
}

it('copies every collection that grows with the gamers on write, so that a copy stops nobody', () => {
  const { gamers, balances, exclusions, playLimits, playSums } = emptyLedger();
  for (const collection of [gamers, balances, exclusions, playLimits, playSums])
    expect(collection).toBeInstanceOf(CopyOnWriteMap);
});

it('refuses a part that the state does not have', () => {
  expect(() => restorePart(emptyLedger(), '{"name":"other","entries":[]}')).toThrow('the state has no other');
});

it('holds the state as of the call, whatever changes between the parts', () => {
  const state = fullState();
  const before = frozenCopy(state);
  const { parts, end } = copyState(state);
  const copied = emptyLedger();
  let number = 100;
  const change = (command: LedgerCommand) => {
    number += 1;
    submit(state, command, state.atMs + 1, number);
  };
  const money = { amountCents: 10_000, feeCents: 500, cryptoType: 'BTC' } as const;
  for (const part of parts) {
    change({ type: 'BuyTokens', buyerId: 'bob', quantity: 2 });
    change({ type: 'EnrolGamer', gamerId: `carol${number}`, sponsorId: 'bob' });
    change({ type: 'CreditDeposit', paymentId: `pay ${number}`, gamerId: 'bob', money });
    change({
      type: 'RecordDeposit',
      paymentId: `pay ${number}`,
      purpose: 'deposit',
      gamerId: 'bob',
      money,
      reason: 'late',
    });
    change({ type: 'RejectDeposit', depositId: `f${number}`, adminNotes: null });
    restorePart(copied, part);
  }
  end();
  assert.deepEqual(copied, before);
});

it('copies again after a copy that was given up', () => {
  const state = fullState();
  const { parts, end } = copyState(state);
  parts[Symbol.iterator]().next();
  end();
  assert.deepEqual(restored(copyState(state)), state);
});
