import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ArrowUpDown, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Withdrawal, WithdrawalStatus } from '../../../../contracts/http/withdrawals.js';
import { statusText } from '../../features/withdrawals/withdrawal-rules.js';
import { reasonOf } from '../api/api-client.js';
import { serverNow } from '../clock.js';
import { type Column, cellText, csvFileName, csvOf, saveFile, shortened } from '../files.js';
import { counted, numberText } from '../format.js';
import { Button, SelectField } from '../ui/controls.js';
import { scrollable } from '../ui/notice.js';
import { toast, toastProblem } from '../ui/toasts.js';
import { type ListRow, nextSort, rowId, type Sort } from './list-queries.js';

export interface DataTableProps<Row> {
  name: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  empty: string;
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Searches or filters the rows. */
  tool: ReactNode;
  note: ReactNode;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  canExport: boolean;
  /** Called on export, because some rows may still be on the server. */
  fetchRows: () => Promise<readonly Row[]>;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  children?: ReactNode;
}

/** A page of a list with its tools. In wider windows the table's headers sort; in narrower ones its rows are folded and `SortTool` sorts. */
export function DataTable<Row extends ListRow>(props: DataTableProps<Row>) {
  const { name, rows, tool, note, empty, page, pages, onPage } = props;
  return (
    <div className="grid gap-4">
      <div className="tools">
        {tool}
        <SortTool {...props} />
        <ExportTool {...props} />
      </div>
      {note}
      {rows.length === 0 ? <p className="empty">{empty}</p> : <SortableTable {...props} />}
      {pages > 1 && (
        <nav className="flex items-center justify-between gap-4" aria-label={`Pages of ${name}`}>
          <Button kind="line sm" text="Previous" disabled={page <= 1} onClick={() => onPage(page - 1)} />
          <span className="t14 dim num" aria-live="polite">
            {`Page ${page} of ${numberText(pages)}`}
          </span>
          <Button kind="line sm" text="Next" disabled={page >= pages} onClick={() => onPage(page + 1)} />
        </nav>
      )}
      {props.children}
    </div>
  );
}

const shownOf = <Row,>(columns: readonly TableColumn<Row>[]) => columns.filter(({ exportOnly }) => !exportOnly);

type SortableTableProps<Row> = Pick<DataTableProps<Row>, 'name' | 'columns' | 'rows' | 'actions' | 'sort' | 'onSort'>;

export function SortableTable<Row extends ListRow>(props: SortableTableProps<Row>) {
  const { name, columns, rows, actions, sort, onSort } = props;
  const shown = shownOf(columns);
  return (
    <div className="scroller" {...scrollable(`${name}, listed`)}>
      <table className="tbl tbl--fold">
        <caption className="sr">{name}</caption>
        <thead>
          <tr>
            {shown.map((column) => {
              const direction = sort?.by === column.label ? sort.direction : 'none';
              const Icon = { none: ArrowUpDown, ascending: ArrowUp, descending: ArrowDown }[direction];
              return (
                <th key={column.label} aria-sort={direction} className={column.kind === 'cents' ? 'r' : undefined}>
                  <button type="button" className="sort" onClick={() => onSort(nextSort(sort, column))}>
                    {column.label}
                    <Icon size={14} aria-hidden="true" />
                  </button>
                </th>
              );
            })}
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

const cellClass = <Row,>({ kind, isKey, className }: TableColumn<Row>): string =>
  [{ cents: 'r num', dateTime: 'num', text: '' }[kind], isKey ? 'key' : '', className].filter(Boolean).join(' ');

const firstNames = { text: ['A to Z', 'Z to A'], cents: ['least', 'most'], dateTime: ['oldest', 'newest'] } as const;

function SortTool<Row>({ columns, sort, onSort }: DataTableProps<Row>) {
  const options = shownOf(columns).flatMap(({ label, kind }) => [
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

function ExportTool<Row>({ name, columns, canExport, fetchRows }: DataTableProps<Row>) {
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
      disabled={!canExport}
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

const chipClasses: Record<WithdrawalStatus, string> = {
  pending: 'chip chip--half',
  processing: 'chip chip--on',
  completed: 'chip chip--on',
  returned: 'chip',
};

const text = columnOf('text');
const cents = columnOf('cents');

/** The kinds of columns, and the columns of several lists. */
export const column = {
  text,
  cents,
  dateTime: columnOf('dateTime'),
  gamer: text<{ gamerTag: string | null }>('Gamer', (row) => row.gamerTag, {
    cell: ({ gamerTag }) => <GamerName gamerTag={gamerTag} />,
  }),
  amount: cents<{ amountCents: number }>('Amount', (row) => row.amountCents),
  coin: text<{ cryptoType: string | null }>('Coin', (row) => row.cryptoType),
  wallet: text<{ walletAddress: string }>('Wallet', (row) => row.walletAddress, {
    className: 'code',
    cell: ({ walletAddress }) => <span title={walletAddress}>{shortened(walletAddress)}</span>,
  }),
  /** The chip of a completed withdrawal is green only for money paid to a gamer. */
  statusOf: (of: 'gamer' | 'profit') =>
    text<Pick<Withdrawal, 'status' | 'isCancelled'>>('Status', statusText, {
      cell: (row) => (
        <span className={row.status === 'completed' && of === 'gamer' ? 'chip chip--won' : chipClasses[row.status]}>
          {statusText(row)}
        </span>
      ),
    }),
  transaction: text<{ txid: string | null }>('Transaction', (row) => row.txid, { exportOnly: true }),
  id: text<{ id: string }>('Id', (row) => row.id, { exportOnly: true }),
};
