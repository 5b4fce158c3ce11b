import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ArrowUpDown, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Withdrawal, WithdrawalStatus } from '../../../../contracts/http/withdrawals.js';
import { statusText } from '../../features/withdrawals/withdrawal-rules.js';
import { reasonOf } from '../api/api-client.js';
import { serverNow } from '../clock.js';
import { type Column, cellText, csvFileName, csvOf, saveFile, shortened } from '../files.js';
import { counted } from '../format.js';
import { Button, SelectField } from '../ui/controls.js';
import { scrollable } from '../ui/notice.js';
import { toast, toastProblem } from '../ui/toasts.js';
import { type ListRow, nextSort, rowId, type Sort } from './list-queries.js';

interface Sortable {
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}

interface DataTableProps<Row> extends Sortable {
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  actions?: ((row: Row) => ReactNode) | undefined;
}

/** From 768 px, a table whose headers sort. Below, folded rows: there, `SortTool` sorts. */
export function DataTable<Row extends ListRow>({ caption, columns, rows, actions, ...sortable }: DataTableProps<Row>) {
  const shown = columns.filter(({ exportOnly }) => !exportOnly);
  return (
    <div className="scroller" {...scrollable(`${caption}, listed`)}>
      <table className="tbl tbl--fold">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <SortHeader key={column.label} column={column} {...sortable} />
            ))}
            {actions && (
              <th className="do">
                <span className="sr">Action</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {shown.map((column) => (
                <td key={column.label} data-l={column.label} className={cellClass(column)}>
                  {column.cell ? column.cell(row) : cellText(column, row) || <span className="dim">none</span>}
                </td>
              ))}
              {actions && (
                <td className="do">
                  <div className="actions">{actions(row)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHeader<Row>({ column, sort, onSort }: { column: TableColumn<Row> } & Sortable) {
  const direction = sort?.by === column.label ? sort.direction : 'none';
  const Icon = { none: ArrowUpDown, ascending: ArrowUp, descending: ArrowDown }[direction];
  return (
    <th aria-sort={direction} className={column.kind === 'cents' ? 'r' : undefined}>
      <button type="button" className="sort" onClick={() => onSort(nextSort(sort, column))}>
        {column.label}
        <Icon size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

function cellClass<Row>({ kind, isKey, className }: TableColumn<Row>): string {
  return [{ cents: 'r num', dateTime: 'num', text: '' }[kind], isKey ? 'key' : '', className].filter(Boolean).join(' ');
}

const firstNames = { text: ['A to Z', 'Z to A'], cents: ['least', 'most'], dateTime: ['oldest', 'newest'] } as const;

export function SortTool<Row>({ columns, sort, onSort }: { columns: readonly Column<Row>[] } & Sortable) {
  const options = columns
    .filter(({ exportOnly }) => !exportOnly)
    .flatMap(({ label, kind }) => [
      { value: `ascending ${label}`, text: `${label}, ${firstNames[kind][0]} first` },
      { value: `descending ${label}`, text: `${label}, ${firstNames[kind][1]} first` },
    ]);
  const choose = (value: string) => {
    const [direction, ...label] = value.split(' ');
    onSort(direction === 'ascending' || direction === 'descending' ? { by: label.join(' '), direction } : null);
  };
  return (
    <div className="grow md:hidden">
      <SelectField
        label="Sort by"
        value={sort === null ? '' : `${sort.direction} ${sort.by}`}
        options={[{ value: '', text: 'As listed' }, ...options]}
        onChange={choose}
      />
    </div>
  );
}

interface ExportToolProps<Row> {
  name: string;
  columns: readonly Column<Row>[];
  disabled: boolean;
  /** Called on export, because some rows may still be on the server. */
  fetchRows: () => Promise<readonly Row[]>;
}

export function ExportTool<Row>({ name, columns, disabled, fetchRows }: ExportToolProps<Row>) {
  const { mutate: save, isPending } = useMutation({
    mutationFn: async () => {
      const rows = await fetchRows();
      const fileName = csvFileName(name, serverNow());
      saveFile(fileName, csvOf(columns, rows), 'text/csv');
      toast({ title: 'Exported', text: `${counted(rows.length, 'row')} in ${fileName}` });
    },
    onError: (error) => toastProblem('Export Failed', reasonOf(error, 'The rows could not be loaded')),
  });
  return (
    <Button
      kind="text sm"
      icon={Download}
      text="Export CSV"
      busy={isPending && 'Exporting…'}
      aria-label={`Export CSV: ${name}`}
      disabled={disabled}
      onClick={() => save()}
    />
  );
}

export interface TableColumn<Row> extends Column<Row> {
  /** Replaces the plain text in the table; search and export use `value`. */
  cell?: (row: Row) => ReactNode;
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
  text<Pick<Withdrawal, 'status' | 'isCancelled'>>('Status', statusText, {
    cell: (row) => (
      <span className={row.status === 'completed' && of === 'gamer' ? 'chip chip--won' : chipClasses[row.status]}>
        {statusText(row)}
      </span>
    ),
  });
