import { activityView } from './activity.view.js';
import { balancesView } from './balances.view.js';
import { communityView } from './community.view.js';
import { dailyTotalsView } from './daily-totals.view.js';
import { depositsView } from './deposits.view.js';
import { gameBoardView } from './game-board.view.js';
import { gamersView } from './gamers.view.js';
import { journalView } from './journal.view.js';
import { ledgerIndexView } from './ledger-index.view.js';
import { matrixView } from './matrix.view.js';
import { paymentsView } from './payments.view.js';
import { publicRecordView } from './public-record.view.js';
import { recentPurchasesView } from './recent-purchases.view.js';
import { statsView } from './stats.view.js';
import { ticketsView } from './tickets.view.js';
import type { View } from './view.js';
import { walletsView } from './wallets.view.js';
import { winnersView } from './winners.view.js';
import { withdrawalsView } from './withdrawals.view.js';

/** All read models. Postgres takes longest for the first two, and writes their rows while those of the others are computed. */
export const allViews: readonly View[] = [
  journalView,
  ledgerIndexView,
  gameBoardView,
  recentPurchasesView,
  winnersView,
  gamersView,
  balancesView,
  matrixView,
  statsView,
  dailyTotalsView,
  publicRecordView,
  withdrawalsView,
  walletsView,
  activityView,
  communityView,
  ticketsView,
  depositsView,
  paymentsView,
];
