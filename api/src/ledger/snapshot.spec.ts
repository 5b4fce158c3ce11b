import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decide } from '../../../domain/decide.js';
import { evolve } from '../../../domain/evolve.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { emptyLedger, type LedgerState } from '../../../domain/ledger-state.js';
import { copyOf } from '../../../domain/testing/copy.js';
import { T0 } from '../../../domain/testing/events.js';
import { batchesOfSteps, opening } from '../../../domain/testing/generated-steps.js';
import { Model } from '../../../domain/testing/model.js';
import { directly } from '../../../domain/undo-journal.js';
import { packState, unpackState } from './snapshot.js';

const actor = { id: 'system', role: 'system' } as const;

function submit(state: LedgerState, command: LedgerCommand, at: number, number: number): boolean {
  const decision = decide(state, command, { at, actor, freshId: `f${number}` });
  if (decision.refusal) return false;
  for (const [index, event] of decision.events.entries()) {
    const metadata = { at, actor, commandId: `c${number}`, commandHash: `of ${number}` };
    evolve(state, { revision: number * 10 + index, event, metadata }, directly);
  }
  return true;
}

/** A state with something in every part of it. */
function fullState(): LedgerState {
  const state = emptyLedger();
  const money = { amountCents: 10_000, feeCents: 500, cryptoType: 'BTC' } as const;
  const commands: LedgerCommand[] = [
    { type: 'EnrolHouse', gamerId: 'house' },
    { type: 'EnrolGamer', gamerId: 'bob', sponsorId: null },
    { type: 'CreditDeposit', paymentId: '1', gamerId: 'bob', money },
    { type: 'RecordDeposit', paymentId: '2', purpose: 'deposit', gamerId: 'bob', money, reason: 'late' },
    { type: 'RecordDeposit', paymentId: '3', purpose: 'deposit', gamerId: null, money, reason: 'unknown-order' },
    { type: 'RejectDeposit', depositId: 'f4', adminNotes: null },
    { type: 'AdjustBalance', gamerId: 'bob', purchaseCents: 0, winningsCents: 2_000, reason: 'half ½ “quoted” 🎰' },
    {
      type: 'RequestWithdrawal',
      gamerId: 'bob',
      payout: { amountCents: 1_000, cryptoType: 'LTC', walletAddress: 'ltc1qg82u8my8kg4qeymrsrvp6pyl96e5x0twcsp3ek' },
    },
    { type: 'ForceStartLive' },
    { type: 'BuyTokens', buyerId: 'bob', quantity: 3 },
    { type: 'BuyTokens', buyerId: 'bob', quantity: 1 },
    { type: 'BuyTokens', buyerId: 'bob', quantity: 1 },
  ];
  for (const [index, command] of commands.entries()) assert.ok(submit(state, command, T0 + index, index));
  return state;
}

it('brings back a state in which every part holds something', async () => {
  const state = fullState();
  for (const [name, part] of Object.entries(state)) {
    if (part instanceof Map || part instanceof Set) expect({ name, size: part.size }).not.toEqual({ name, size: 0 });
  }
  assert.deepEqual(await unpackState(await packState(state)), state);
});

it('brings back the empty state', async () => {
  assert.deepEqual(await unpackState(await packState(emptyLedger())), emptyLedger());
});

it('keeps the order in which commands are to be forgotten', async () => {
  const state = fullState();
  const { commands } = await unpackState(await packState(state));
  expect([...commands.keys()]).toEqual([...state.commands.keys()]);
});

it('is the state of the moment it was asked for, whatever is bought while it is being made', async () => {
  const state = fullState();
  const before = copyOf(state);
  const packing = packState(state);
  assert.ok(submit(state, { type: 'BuyTokens', buyerId: 'bob', quantity: 5 }, T0 + 100, 100));
  assert.ok(submit(state, { type: 'EnrolGamer', gamerId: 'carol', sponsorId: 'bob' }, T0 + 101, 101));
  assert.deepEqual(await unpackState(await packing), before);
});

it('brings back entries of more than one slice', async () => {
  const state = emptyLedger();
  for (let index = 0; index < 4_001; index += 1) state.balances.set(`gamer:g${index}:purchase`, index);
  assert.deepEqual(await unpackState(await packState(state)), state);
});

it('brings back what generated commands lead to, and the game goes on from it as from the original', async () => {
  await fc.assert(
    fc.asyncProperty(batchesOfSteps, async (batches) => {
      const model = new Model();
      let [state, at, number] = [emptyLedger(), T0, 0];
      for (const step of [...opening, ...batches.flat()]) {
        number += 1;
        at = step.timeAfter(at, model);
        const command = step.commandFor(model, at);
        if (submit(state, command, at, number)) model.carryOut(command, at, `f${number}`);
        if (number % 25 !== 0) continue;
        const restored = await unpackState(await packState(state));
        assert.deepEqual(restored, state);
        state = restored;
      }
    }),
    { numRuns: 50 },
  );
});
