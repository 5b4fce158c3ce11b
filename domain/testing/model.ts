import type { LedgerCommand } from '../ledger-commands.js';
import { balanceRules } from './model-balances.js';
import { ModelGame } from './model-game.js';
import { gamerRules } from './model-gamers.js';
import { purchaseRules } from './model-purchases.js';
import type { Reasons, Rule, RulesFor } from './model-rule.js';
import type { Person } from './model-second-person.js';

/*
 * A second, naive implementation of the game, written from the decisions. It walks trees where the ledger uses an index,
 * keeps sums where the ledger folds events, and shares only the command types with it. Generated commands run on both.
 */

const rules: RulesFor<LedgerCommand['type']> = { ...purchaseRules, ...balanceRules, ...gamerRules };

/** An operator needs the power money, and does nothing for themselves. */
function powerReasons(model: ModelGame, command: LedgerCommand, { id, role }: Person): Reasons {
  if (role === 'admin') return [];
  const owner =
    command.type === 'UpdateWithdrawal'
      ? model.withdrawals.get(command.withdrawalId)?.gamer
      : command.type === 'AdjustBalance' && command.gamerId;
  return [!model.secondPerson.operators.has(id) && 'power-missing', owner === id && 'power-not-for-oneself'];
}

export class Model extends ModelGame {
  /** Refusal codes that apply to a person's command; without any it must be accepted. */
  reasonsAgainst(command: LedgerCommand, at: number, person: Person): string[] {
    const reasons = (rules[command.type] as Rule<LedgerCommand>).reasons?.(this, command, at, person) ?? [];
    return [...powerReasons(this, command, person), ...reasons].filter((reason) => reason !== false);
  }

  /** Carries out an acceptable command. @param freshId id of the purchase, deposit or withdrawal it creates */
  carryOut(command: LedgerCommand, at: number, freshId: string, person: Person, hasEvents: boolean): void {
    (rules[command.type] as Rule<LedgerCommand>).carryOut(this, command, at, freshId, person);
    if (hasEvents) this.lastEventAt = at;
  }
}
