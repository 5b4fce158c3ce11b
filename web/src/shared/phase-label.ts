import type { GamePhase } from '../../../contracts/http/game.js';
import type { TimerSettings } from '../../../contracts/limits.js';

const labels: Record<GamePhase, string> = {
  idle: 'Ready — Click Start to Begin',
  pregame: 'Game starting in:',
  live: 'Live Game Now Active',
  downtime: 'Downtime — Next game in:',
};

/** The phase's label in the admin panel and the guide (specification §4). */
export const phaseLabel = (phase: GamePhase): string => labels[phase] ?? 'Game Status Unknown';

export const TIMERS: readonly (readonly [keyof TimerSettings, string])[] = [
  ['pregameDurationSeconds', 'Pregame'],
  ['liveDurationSeconds', 'Live'],
  ['downtimeDurationSeconds', 'Downtime'],
  ['tokenExtensionSeconds', 'Time per token'],
];
