import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';
import { MATRIX_WIDTH } from '../contracts/limits.js';
import type { LedgerCommand } from '../domain/ledger/ledger-commands.js';

/** The gamers of the benchmarks. Each buyer has seven uplines, all active depositors: the most work a purchase can need. */
export interface Crowd {
  adminId: GamerId;
  /** Gamers in the order of enrolment; the first is placed directly under the admin. */
  gamers: ScenarioGamer[];
  buyers: GamerId[];
}

export interface ScenarioGamer {
  gamerId: GamerId;
  sponsorId: GamerId;
  /** Uplines, at most seven, nearest first, without the admin. */
  uplines: GamerId[];
  isDepositor: boolean;
}

/** Number of gamers on the levels 1 to 7 below the admin: 3 + 9 + … + 2,187. The next gamer has seven paid uplines. */
const UPLINES = 3279;
export const STAKE_CENTS = 90_000_000;

const idOf = (index: number): GamerId => `g${String(index).padStart(11, '0')}`;
const parentOf = (index: number): number => Math.floor((index - 1) / MATRIX_WIDTH);

export function scenarioOf(adminId: GamerId, buyerCount: number): Crowd {
  const nameOf = (index: number): GamerId => (index === 0 ? adminId : idOf(index));
  const gamers: ScenarioGamer[] = [];
  for (let index = 1; index <= UPLINES + buyerCount; index += 1) {
    const uplines: GamerId[] = [];
    for (let above = parentOf(index); above > 0 && uplines.length < 7; above = parentOf(above)) {
      uplines.push(nameOf(above));
    }
    gamers.push({ gamerId: nameOf(index), sponsorId: nameOf(parentOf(index)), uplines, isDepositor: index <= UPLINES });
  }
  return { adminId, gamers, buyers: gamers.slice(UPLINES).map(({ gamerId }) => gamerId) };
}

type Execute = (command: LedgerCommand, by: { actor: Actor; commandId: string }) => Promise<unknown>;

/** Commands in flight while the scenario is set up: few enough that a busy machine answers them in time. */
const AT_ONCE = 500;

export async function playScenario({ adminId, gamers, buyers }: Crowd, execute: Execute): Promise<void> {
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
  const actorOf = (command: LedgerCommand): Actor =>
    command.type === 'EnrolGamer' ? { id: command.gamerId, role: 'gamer' } : { id: adminId, role: 'admin' };
  for (let from = 0; from < commands.length; from += AT_ONCE) {
    const some = commands.slice(from, from + AT_ONCE);
    await Promise.all(
      some.map((command, index) =>
        execute(command, { actor: actorOf(command), commandId: `scenario-${from + index}` }),
      ),
    );
  }
}
