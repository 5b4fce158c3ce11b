import type { GameState } from '../../../contracts/http/game.js';
import { purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import { gameStateOf } from '../../src/features/game/game-state.js';
import type { ApiNode } from './api-node.js';
import { SimulatedSocket, tagsOf } from './live-node.js';
import type { SimulatedTables } from './tables.js';
import type { World } from './world.js';

type Receipt = { kind: 'apply'; board: GameState } | { kind: 'ignore' | 'resync' };

/** A copy of what the client makes of messages, which cannot be imported because it needs a browser's types. */
const { boardUpdate } = jest.requireActual<{ boardUpdate(board: GameState | undefined, message: object): Receipt }>(
  '../../../web/src/shared/board.js',
);

const RECONNECT_MS = 1_000;
const ON_BOARD = /^(state:update|purchase:added|game:time-extended)$/;

/** A page that watches the game, with the client's own rules: a gap or a new connection reads again, older news change nothing. */
export class Watcher {
  board: GameState | undefined;
  readonly own = { purchaseCents: 0, winningsCents: 0 };
  socket: SimulatedSocket | null = null;
  private newestPosition = 0n;
  private isInRooms = false;
  private isReading = false;
  private mustReadAgain = false;

  constructor(
    readonly gamerId: string | null,
    private readonly world: World,
    private readonly nodes: () => readonly ApiNode[],
    private readonly tables: SimulatedTables,
  ) {
    void this.connect();
  }

  async connect(): Promise<void> {
    const { world } = this;
    this.socket = null;
    this.isInRooms = false;
    let node: ApiNode | undefined;
    while (!node?.isReady) {
      await world.time.sleep(1 + world.upTo(RECONNECT_MS), null);
      node = world.pick(this.nodes());
    }
    const socket = new SimulatedSocket(world, node, this);
    this.socket = socket;
    void socket.node.run(() => socket.node.live.accept(socket));
  }

  take(name: string, body: { position: string }): void {
    const position = BigInt(body.position);
    if (position > this.newestPosition) this.newestPosition = position;
    if ('purchaseBalanceCents' in body) this.own.purchaseCents = body.purchaseBalanceCents as number;
    if (name === 'winnings:updated' || (name === 'state:update' && !this.isInRooms)) this.refetch();
    this.isInRooms ||= name === 'state:update';
    if (!ON_BOARD.test(name)) return;
    const receipt = boardUpdate(this.board, { name, message: body });
    if (receipt.kind === 'resync') this.refetch();
    if (receipt.kind === 'apply') this.board = receipt.board;
  }

  /** Like `fetchBoard`: the response counts unless the messages made a newer board meanwhile. */
  private refetch(): void {
    this.mustReadAgain = true;
    if (!this.isReading) void this.read();
  }

  /** Reads the tables, again when a message was about something newer. */
  private async read(): Promise<void> {
    const { world, tables, gamerId } = this;
    this.isReading = true;
    while (this.mustReadAgain) {
      await world.time.sleep(2 + world.upTo(80), null);
      const { checkpoint, balances } = tables.committed;
      const position = BigInt(checkpoint?.position ?? -1);
      const game = this.gameAt(position);
      await world.time.sleep(2 + world.upTo(40), null);
      if (!game || position < this.newestPosition) continue;
      this.mustReadAgain = false;
      const fresh = gameStateOf(game, (id) => tagsOf([id]).get(id) as string, world.time.now());
      if (!this.board || this.board.version <= fresh.version) this.board = fresh;
      if (gamerId === null) continue;
      this.own.winningsCents = balances.get(winningsAccount(gamerId)) ?? 0;
      this.own.purchaseCents = balances.get(purchaseAccount(gamerId)) ?? 0;
    }
    this.isReading = false;
  }

  /** The game of the tables' board, which the simulated views leave out: taken from a node that has read as far as the tables. */
  private gameAt(position: bigint) {
    const newest = this.world.memory.ledger.findLast((recorded) => BigInt(recorded.position) <= position);
    for (const { announced, ledger, isReady } of this.nodes()) {
      if (isReady && ledger.committed.position === newest?.position) return ledger.committed.game;
      const seen = announced.findLast(({ recorded }) => recorded.id === newest?.id);
      if (seen) return seen.game;
    }
    return undefined;
  }
}
