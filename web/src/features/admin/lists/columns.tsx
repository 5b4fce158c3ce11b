import type { ReactNode } from 'react';
import type { WithdrawalStatus } from '../../../../../contracts/http/withdrawals.js';
import { type Column, shortened } from '../../../shared/columns.js';
import { statusNames } from '../withdrawal-rules.js';

export interface TableColumn<Row> extends Column<Row> {
  /** Replaces the plain text in the table; search and export use `value`. */
  cell?: (row: Row) => ReactNode;
  /** The row's name: the headline of a folded row. */
  isKey?: boolean;
  className?: string;
}

type Options<Row> = Omit<TableColumn<Row>, 'label' | 'kind' | 'value'>;

const columnOf =
  (kind: Column<unknown>['kind']) =>
  <Row,>(label: string, value: Column<Row>['value'], options?: Options<Row>): TableColumn<Row> => ({
    label,
    kind,
    value,
    ...options,
  });

export const text = columnOf('text');
export const cents = columnOf('cents');
export const dateTime = columnOf('dateTime');

export const GamerName = ({ gamerTag }: { gamerTag: string | null }) =>
  gamerTag === null ? <span className="dim">none</span> : <b>{gamerTag}</b>;

/** Both lines are in one element, because a folded row spreads its children. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: string }) => (
  <span>
    {first}
    <br />
    <span className="dim t12">{second}</span>
  </span>
);

// Columns that several lists have

export const gamerColumn = text<{ gamerTag: string | null }>('Gamer', (row) => row.gamerTag, {
  cell: ({ gamerTag }) => <GamerName gamerTag={gamerTag} />,
});
export const amountColumn = cents<{ amountCents: number }>('Amount', (row) => row.amountCents);
export const coinColumn = text<{ cryptoType: string | null }>('Coin', (row) => row.cryptoType);
export const walletColumn = text<{ walletAddress: string }>('Wallet', (row) => row.walletAddress, {
  className: 'code',
  cell: ({ walletAddress }) => <span title={walletAddress}>{shortened(walletAddress)}</span>,
});
export const idColumn = text<{ id: string }>('Id', (row) => row.id, { exportOnly: true });
export const transactionColumn = text<{ txid: string | null }>('Transaction', (row) => row.txid, { exportOnly: true });

const chipClasses: Record<WithdrawalStatus, string> = {
  pending: 'chip chip--half',
  processing: 'chip chip--on',
  completed: 'chip chip--on',
  returned: 'chip',
};

/** The chip of a completed withdrawal is green only for money paid to a gamer. */
export const statusColumn = (of: 'gamer' | 'profit') =>
  text<{ status: WithdrawalStatus }>('Status', ({ status }) => statusNames[status], {
    cell: ({ status }) => (
      <span className={status === 'completed' && of === 'gamer' ? 'chip chip--won' : chipClasses[status]}>
        {statusNames[status]}
      </span>
    ),
  });
