import { DataSource } from 'typeorm';
import { MemoryLog } from '../testing/memory-log.js';
import { until } from '../testing/tables.js';
import { Workplace } from '../testing/worker.js';
import { ActivityMemoryRow, ActivityRow } from './activity.entity.js';
import { BalanceRow, GamerTotalsRow } from './balances.entity.js';
import { CommunityPostRow, CommunityRemovedGamerRow } from './community.entity.js';
import { DailyTotalsRow } from './daily-totals.entity.js';
import { DepositRow } from './deposits.entity.js';
import { GameBoard } from './game-board.entity.js';
import { GamerRow } from './gamers.entity.js';
import { JournalRow } from './journal.entity.js';
import { LedgerBooksRow, LedgerKeyRow, LedgerRareRow, LedgerRoundRow } from './ledger-index.entity.js';
import { MatrixGamerRow, MatrixLevelRow } from './matrix.entity.js';
import { GatewayPaymentRow, PaymentRow } from './payments.entity.js';
import { RecentPurchaseRow } from './recent-purchases.entity.js';
import { StatsRow } from './stats.entity.js';
import { TicketRow, TicketsRemovedGamerRow } from './tickets.entity.js';
import { WalletRow } from './wallets.entity.js';
import { WinnerRow } from './winners.entity.js';
import { WithdrawalRow } from './withdrawals.entity.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const entities = [
  ActivityMemoryRow,
  ActivityRow,
  BalanceRow,
  CommunityPostRow,
  CommunityRemovedGamerRow,
  DailyTotalsRow,
  DepositRow,
  GameBoard,
  GamerRow,
  GamerTotalsRow,
  JournalRow,
  LedgerBooksRow,
  LedgerKeyRow,
  LedgerRareRow,
  LedgerRoundRow,
  MatrixGamerRow,
  MatrixLevelRow,
  GatewayPaymentRow,
  PaymentRow,
  RecentPurchaseRow,
  StatsRow,
  TicketRow,
  TicketsRemovedGamerRow,
  WalletRow,
  WinnerRow,
  WithdrawalRow,
];

let at: Workplace;
let dataSource: DataSource;

beforeAll(async () => {
  at = await Workplace.open();
  at.start(new MemoryLog());
  await until(async () => (await at.position()) !== null, 'the tables');
  dataSource = await new DataSource({ type: 'postgres', url: at.database.url, entities }).initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await at.close();
});

it('have exactly the columns of the tables that the views make', async () => {
  const { rows } = await at.db.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name || ' ' || data_type || ' ' || is_nullable ORDER BY column_name) AS columns
     FROM information_schema.columns WHERE table_schema = 'read' AND table_name NOT IN ('views', 'checkpoint')
     GROUP BY table_name ORDER BY table_name`,
  );
  const described = dataSource.entityMetadatas
    .map(({ tableName, columns }) => ({
      table: tableName,
      columns: columns
        .map(({ databaseName, type, isNullable, isArray }) => {
          const kind = isArray ? 'ARRAY' : String(type);
          return `${databaseName} ${kind} ${isNullable ? 'YES' : 'NO'}`;
        })
        .sort(),
    }))
    .sort((one, other) => (one.table < other.table ? -1 : 1));
  expect(described).toEqual(rows.map(({ table, columns }) => ({ table, columns: [...columns].sort() })));
});
