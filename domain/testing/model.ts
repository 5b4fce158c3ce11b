import type { LedgerCommand } from '../ledger-commands.js';
import { balanceRules } from './model-balances.js';
import { ModelGame } from './model-game.js';
import { gamerRules } from './model-gamers.js';
import { purchaseRules } from './model-purchases.js';
import type { Rule, RulesFor } from './model-rule.js';

/*
 * A second, naive implementation of the game, written from the decisions. It walks trees where the ledger uses an index,
 * keeps sums where the ledger folds events, and shares only the command types with it. Generated commands run on both.
 */

const rules: RulesFor<LedgerCommand['type']> = { ...purchaseRules, ...balanceRules, ...gamerRules };

export class Model extends ModelGame {
  /** Refusal codes that apply to the admin's command; without any it must be accepted. */
  reasonsAgainst(command: LedgerCommand, at: number): string[] {
    const reasons = (rules[command.type] as Rule<LedgerCommand>).reasons?.(this, command, at) ?? [];
    return reasons.filter((reason) => reason !== false);
  }

  /** Carries out an acceptable command. @param freshId id of the purchase, deposit or withdrawal it creates */
  carryOut(command: LedgerCommand, at: number, freshId: string, hasEvents: boolean): void {
    (rules[command.type] as Rule<LedgerCommand>).carryOut(this, command, at, freshId);
    if (hasEvents) this.lastEventAt = at;
  }
}
