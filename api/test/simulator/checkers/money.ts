import assert from 'node:assert/strict';
import { postings } from '../../../../domain/ledger/postings.js';
import type { Simulation } from '../simulation.js';

/** Postings sum to zero, no gamer owes anything, and every node and the tables have the balances that the log gives. */
export function checkMoney({ world, nodes, tables }: Simulation): void {
  const balances = new Map<string, number>();
  for (const { event, revision } of world.memory.ledger) {
    let sum = 0;
    for (const { account, cents } of postings(event)) {
      sum += cents;
      const balance = (balances.get(account) ?? 0) + cents;
      balances.set(account, balance);
      assert.ok(balance >= 0 || !account.startsWith('gamer:'), `${account} is at ${balance} after ledger@${revision}`);
    }
    assert.equal(sum, 0, `the postings of ledger@${revision} do not sum to zero`);
  }
  for (const { name, replica } of nodes)
    for (const [account, cents] of balances)
      assert.equal(replica.state.balances.get(account as never) ?? 0, cents, `${name} has another ${account}`);
  const { contents } = tables;
  assert.deepEqual(
    new Map([...contents.balances].sort()),
    new Map([...balances].sort()),
    'the tables have other balances',
  );
  const ids = contents.journal.map(({ id }) => id);
  assert.deepEqual(
    ids,
    world.memory.ledger.map(({ id }) => id),
    'the tables have other events',
  );
}
