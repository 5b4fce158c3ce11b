import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { decide } from '../../../domain/decide.js';
import { evolve } from '../../../domain/evolve.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { emptyLedger, type LedgerState } from '../../../domain/ledger-state.js';
import { SNAPSHOT_FORMAT } from '../../../domain/snapshot-text.js';
import { frozenCopy } from '../../../domain/testing/copy.js';
import { T0 } from '../../../domain/testing/events.js';
import { batchesOfSteps, opening } from '../../../domain/testing/generated-steps.js';
import { Model } from '../../../domain/testing/model.js';
import { directly } from '../../../domain/undo-journal.js';
import { packState, unpackState } from './snapshots.js';

const actor = { id: 'system', role: 'system' } as const;

/** The number of events; null for a refused command. */
function submit(state: LedgerState, command: LedgerCommand, at: number, number: number): number | null {
  const decision = decide(state, command, { at, receivedAt: at, actor, freshId: `f${number}` });
  if (decision.refusal) return null;
  for (const [index, event] of decision.events.entries()) {
    const metadata = { at, actor, commandId: `c${number}` };
    evolve(state, { revision: number * 10 + index, event, metadata }, directly);
  }
  return decision.events.length;
}

/** A state whose every part is filled. */
function fullState(): LedgerState {
  const state = emptyLedger();
  const money = { amountCents: 10_000, feeCents: 500, cryptoType: 'BTC' } as const;
  const commands: LedgerCommand[] = [
    { type: 'EnrolAdmin', gamerId: 'house' },
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

/** Paths of the state's fields; a key of a map and an element of a list are `*`. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (value instanceof Map || value instanceof Set || Array.isArray(value)) {
    return [...value.values()].flatMap((one) => fieldsOf(one, `${path}/*`));
  }
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, one]) => fieldsOf(one, `${path}/${name}`));
}

it('raises SNAPSHOT_FORMAT when the state has other fields: an older snapshot lacks them', () => {
  const fields = [...new Set(fieldsOf(fullState()))].sort().join('\n');
  const hash = createHash('sha256').update(fields).digest('hex').slice(0, 8);
  expect(`format ${SNAPSHOT_FORMAT} with the fields ${hash}`).toBe('format 5 with the fields cf7f9b20');
});

it('restores a state whose every part is filled', async () => {
  const state = fullState();
  for (const [name, part] of Object.entries(state)) {
    if (part instanceof Map || part instanceof Set) expect({ name, size: part.size }).not.toEqual({ name, size: 0 });
  }
  assert.deepEqual(await unpackState(await packState(state)), state);
});

it('restores the empty state', async () => {
  assert.deepEqual(await unpackState(await packState(emptyLedger())), emptyLedger());
});

it('holds the state as of the call, whatever changes meanwhile', async () => {
  const state = fullState();
  const before = frozenCopy(state);
  const packing = packState(state);
  assert.ok(submit(state, { type: 'BuyTokens', buyerId: 'bob', quantity: 5 }, T0 + 100, 100));
  assert.ok(submit(state, { type: 'EnrolGamer', gamerId: 'carol', sponsorId: 'bob' }, T0 + 101, 101));
  assert.deepEqual(await unpackState(await packing), before);
});

it('restores more entries than one slice holds', async () => {
  const state = emptyLedger();
  for (let index = 0; index < 4_001; index += 1) state.balances.set(`gamer:g${index}:purchase`, index);
  assert.deepEqual(await unpackState(await packState(state)), state);
});

it('restores the states that generated commands lead to, and the game continues from them', async () => {
  await fc.assert(
    fc.asyncProperty(batchesOfSteps, async (batches) => {
      const model = new Model();
      let [state, at, number] = [emptyLedger(), T0, 0];
      for (const step of [...opening, ...batches.flat()]) {
        number += 1;
        at = step.timeAfter(at, model);
        const command = step.commandFor(model, at);
        const events = submit(state, command, at, number);
        if (events !== null) model.carryOut(command, at, `f${number}`, events > 0);
        if (number % 25 !== 0) continue;
        const restored = await unpackState(await packState(state));
        assert.deepEqual(restored, state);
        state = restored;
      }
    }),
    { numRuns: caseCount(50) },
  );
});
