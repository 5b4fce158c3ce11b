import assert from 'node:assert/strict';
import type { GameState } from '../../../../contracts/http/game.js';
import { purchaseAccount, winningsAccount } from '../../../../contracts/ledger-accounts.js';
import { gameStateOf } from '../../../src/features/game/game-state.js';
import { tagsOf } from '../live-node.js';
import type { Simulation } from '../simulation.js';

/** Each watcher is connected and shows the log's state, although its socket missed messages. */
export function checkSockets({ world, nodes, watchers }: Simulation): void {
  const replica = nodes[0]?.replica as NonNullable<(typeof nodes)[0]>['replica'];
  const tagOf = (id: string) => tagsOf([id]).get(id) as string;
  const board = lasting(gameStateOf(replica.state.game, tagOf, world.time.now()));
  const balanceOf = (account: string) => replica.state.balances.get(account as never) ?? 0;
  for (const { gamerId, socket, board: shown, own } of watchers) {
    const name = gamerId ?? 'a visitor';
    assert.ok(socket?.connected, `${name} is not connected`);
    assert.deepEqual(shown && lasting(shown), board, `${name} sees another board`);
    if (gamerId === null) continue;
    assert.equal(own.purchaseCents, balanceOf(purchaseAccount(gamerId)), `${name} sees another balance`);
    assert.equal(own.winningsCents, balanceOf(winningsAccount(gamerId)), `${name} sees other winnings`);
  }
}

/** The board without the fields that change with time alone. */
function lasting({ serverTimeEpochMs: _, countdownSecondsRemaining: __, isActive: ___, ...board }: GameState) {
  return board;
}
