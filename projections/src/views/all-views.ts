import { ledgerIndexView } from './audit-ledger-index.view.js';
import { communityView } from './community.view.js';
import { depositsView } from './deposits.view.js';
import { gameBoardView, statsView } from './game.view.js';
import { gamersView } from './gamers.view.js';
import { matrixView } from './matrix.view.js';
import { paymentsView } from './payments.view.js';
import { publicRecordView } from './public-record.view.js';
import { latePurchasesView, recentPurchasesView } from './purchases.view.js';
import { logTilesView } from './receipts-tiles.view.js';
import { winnersView } from './rounds-winners.view.js';
import { journalView } from './statements-journal.view.js';
import { ticketsView } from './support.view.js';
import type { View } from './view.js';
import { balancesView } from './winnings.view.js';
import { walletsView, withdrawalsView } from './withdrawals.view.js';

/** All read models. Postgres takes longest for the first two, and writes their rows while those of the others are computed. */
export const allViews: readonly View[] = [
  journalView,
  ledgerIndexView,
  gameBoardView,
  recentPurchasesView,
  latePurchasesView,
  winnersView,
  gamersView,
  balancesView,
  matrixView,
  statsView,
  publicRecordView,
  logTilesView,
  withdrawalsView,
  walletsView,
  communityView,
  ticketsView,
  depositsView,
  paymentsView,
];
