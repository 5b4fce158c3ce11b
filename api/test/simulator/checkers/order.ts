import assert from 'node:assert/strict';
import { purchaseAccount } from '../../../../contracts/ledger-accounts.js';
import { postings } from '../../../../domain/ledger/postings.js';
import type { Attempt } from '../clients.js';
import type { Simulation } from '../simulation.js';
import { effectsOf } from './exactly-once.js';

/** A command stands behind each command that was answered before it was first sent; a refusal knows of those, too. */
export function checkOrder(simulation: Simulation): void {
  const { world, clients } = simulation;
  const effects = effectsOf(world.memory.ledger);
  const answered: { commandId: string; atMs: number; revision: number }[] = [];
  for (const { commandId, attempts } of clients.sent) {
    const revision = effects.get(commandId)?.at(-1)?.revision;
    // An answer without events means that the command changed nothing: a later attempt is decided anew.
    const times = attempts.flatMap(({ ended, answeredAtMs }) =>
      ended && 'done' in ended && ended.done.events.length > 0 ? (answeredAtMs ?? []) : [],
    );
    if (revision !== undefined && times.length > 0) answered.push({ commandId, atMs: Math.min(...times), revision });
  }
  const balanceAt = balances(simulation);
  for (const { command, commandId, attempts } of clients.sent) {
    const revision = effects.get(commandId)?.[0]?.revision;
    const sentAtMs = Math.min(...attempts.map((attempt) => attempt.sentAtMs));
    const later = answered.find((one) => one.atMs < sentAtMs && revision !== undefined && one.revision > revision);
    assert.equal(
      later,
      undefined,
      `${commandId} stands before ${later?.commandId}, which was answered before it was sent`,
    );
    for (const attempt of attempts) {
      const haveCents = refusedBalance(attempt);
      if (haveCents === null || command.type !== 'BuyTokens') continue;
      const known = answered.filter(({ atMs }) => atMs < attempt.sentAtMs).map((one) => one.revision);
      const possible = balanceAt(command.buyerId).slice(Math.max(0, ...known));
      assert.ok(possible.includes(haveCents), `${commandId} was refused for a balance of before it was sent`);
    }
  }
}

function refusedBalance({ ended }: Attempt): number | null {
  if (ended === null || !('refused' in ended) || ended.refused.code !== 'insufficient-balance') return null;
  return ended.refused.parameters.haveCents;
}

/** A gamer's purchase balance after each event. */
function balances({ world }: Simulation): (gamerId: string) => number[] {
  const known = new Map<string, number[]>();
  return (gamerId) => {
    let balance = 0;
    const after =
      known.get(gamerId) ??
      world.memory.ledger.map(({ event }) => {
        for (const { account, cents } of postings(event)) if (account === purchaseAccount(gamerId)) balance += cents;
        return balance;
      });
    known.set(gamerId, after);
    return after;
  };
}
