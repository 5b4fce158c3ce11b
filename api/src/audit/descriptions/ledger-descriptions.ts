import { BALANCE_DESCRIPTIONS } from './balance-descriptions.js';
import type { LedgerEventDescriptions } from './event-description.js';
import { GAME_DESCRIPTIONS } from './game-descriptions.js';
import { GAMER_DESCRIPTIONS } from './gamer-descriptions.js';
import { PAYOUT_DESCRIPTIONS } from './payout-descriptions.js';

/** Every ledger event's description: a new event type without one fails the type check. */
export const LEDGER_DESCRIPTIONS: LedgerEventDescriptions = {
  ...GAME_DESCRIPTIONS,
  ...GAMER_DESCRIPTIONS,
  ...BALANCE_DESCRIPTIONS,
  ...PAYOUT_DESCRIPTIONS,
};
