import * as deposits from '../deposits.js';
import * as gamers from '../gamers.js';
import * as losses from '../losses.js';
import * as exclusions from '../protection-exclusions.js';
import * as limits from '../protection-limits.js';
import * as purchases from '../purchases.js';
import * as rounds from '../rounds.js';
import * as staff from '../staff.js';
import * as winnings from '../winnings.js';
import * as withdrawals from '../withdrawals.js';
import { type CommandContext, type Decider, type Decision, type LedgerCommand, refuse } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';

/** A function of the same name decides each type of command: `buyTokens` decides BuyTokens. */
type Deciders = { [T in LedgerCommand['type'] as Uncapitalize<T>]: Decider<T> };

const deciders: Deciders = {
  ...deposits,
  ...gamers,
  ...losses,
  ...exclusions,
  ...limits,
  ...purchases,
  ...rounds,
  ...staff,
  ...winnings,
  ...withdrawals,
};

/** By the commands' types, which costs a tenth of making the function's name for each command. */
const byType = new Map<string, unknown>(
  Object.entries(deciders).map(([name, decider]) => [name.charAt(0).toUpperCase() + name.slice(1), decider]),
);

/** Decides a command: returns its events or a refusal. */
export function decide(state: LedgerState, command: LedgerCommand, context: CommandContext): Decision {
  const code = staff.powerRefusal(state, command, context.actor);
  if (code !== null) return refuse({ code });
  return (byType.get(command.type) as Decider<LedgerCommand['type']>)(state, command, context);
}
