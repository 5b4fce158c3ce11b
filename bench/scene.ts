import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';
import { MATRIX_WIDTH } from '../contracts/limits.js';
import type { LedgerCommand } from '../domain/ledger-commands.js';

/**
 * Who plays in the benchmarks. The matrix is filled breadth-first, everyone sponsored by the one they are placed under,
 * to the depth from which seven levels of uplines below the house exist; those above are all active depositors. So every
 * buyer pays seven uplines and a direct bonus: the most that a purchase ever has to do.
 */
export interface Scene {
  house: GamerId;
  /** In the order of their enrolment; the first stands right under the house. */
  gamers: ScenePlace[];
  /** Those of them who buy. */
  buyers: GamerId[];
}

export interface ScenePlace {
  gamerId: GamerId;
  sponsorId: GamerId;
  /** Nearest first, at most seven, the house not among them. */
  uplines: GamerId[];
  isDepositor: boolean;
}

/** Gamers of the levels 1 to 7 below the house: 3 + 9 + … + 2,187. The next one has seven paid uplines. */
const UPLINES = 3279;
export const STAKE_CENTS = 90_000_000;

const idOf = (index: number): GamerId => `g${String(index).padStart(11, '0')}`;
const parentOf = (index: number): number => Math.floor((index - 1) / MATRIX_WIDTH);

export function sceneOf(house: GamerId, buyerCount: number): Scene {
  const nameOf = (index: number): GamerId => (index === 0 ? house : idOf(index));
  const gamers: ScenePlace[] = [];
  for (let index = 1; index <= UPLINES + buyerCount; index += 1) {
    const uplines: GamerId[] = [];
    for (let above = parentOf(index); above > 0 && uplines.length < 7; above = parentOf(above)) {
      uplines.push(nameOf(above));
    }
    gamers.push({
      gamerId: nameOf(index),
      sponsorId: nameOf(parentOf(index)),
      uplines,
      isDepositor: index <= UPLINES,
    });
  }
  return { house, gamers, buyers: gamers.slice(UPLINES).map(({ gamerId }) => gamerId) };
}

const SYSTEM: Actor = { id: 'system', role: 'system' };

type Execute = (command: LedgerCommand, by: { actor: Actor; commandId: string }) => Promise<unknown>;

/** How many commands wait at once while the scene is set: few enough that a busy machine answers them in time. */
const AT_ONCE = 500;

/** Brings a ledger that has its house to the scene's state by commands: enrolled, paid in, depositors, and live. */
export async function playScene({ gamers, buyers }: Scene, execute: Execute): Promise<void> {
  const commands: LedgerCommand[] = gamers.map(({ gamerId, sponsorId }) => ({
    type: 'EnrolGamer',
    gamerId,
    sponsorId,
  }));
  for (const { gamerId, isDepositor } of gamers) {
    if (isDepositor) commands.push({ type: 'SetDepositorStatus', gamerId, isDepositor });
  }
  for (const gamerId of buyers) {
    commands.push({ type: 'AdjustBalance', gamerId, purchaseCents: STAKE_CENTS, winningsCents: 0, reason: 'stake' });
  }
  commands.push({ type: 'ForceStartLive' });
  for (let from = 0; from < commands.length; from += AT_ONCE) {
    const some = commands.slice(from, from + AT_ONCE);
    await Promise.all(
      some.map((command, index) => execute(command, { actor: SYSTEM, commandId: `scene-${from + index}` })),
    );
  }
}
