import type { CommandOf, LedgerCommand } from '../ledger-commands.js';
import type { ModelGame } from './model-game.js';

/** Refusal codes, or false where one does not apply. */
export type Reasons = (string | false)[];

export interface Rule<C> {
  /** Reasons to refuse the command; without any it must be accepted. */
  reasons?(model: ModelGame, command: C, at: number): Reasons;
  /** Carries out an accepted command. @param freshId id of the purchase, deposit or withdrawal it creates */
  carryOut(model: ModelGame, command: C, at: number, freshId: string): void;
}

export const isCount = (value: number, most = 2 ** 53 - 1): boolean =>
  Number.isInteger(value) && value > 0 && value <= most;

/** A rule for each of these commands. */
export type RulesFor<Type extends LedgerCommand['type']> = { [T in Type]: Rule<CommandOf<T>> };
