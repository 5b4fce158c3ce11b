import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { STATUSES, statusText } from '../../features/withdrawals/withdrawal-rules.js';
import { reasonOf } from '../api/api-client.js';
import { serverNow } from '../clock.js';
import { type Column, cellText, csvFileName, csvOf, saveFile, shortened } from '../files.js';
import { counted, numberText } from '../format.js';
import { Copyable } from '../ui/admin-parts.js';
import { Button, PageLink } from '../ui/controls.js';
import { scrollable } from '../ui/table.js';
import { toast, toastProblem } from '../ui/toasts.js';

export type ListRow = { id: string } | { paymentId: string };
export const rowId = (row: ListRow): string => ('id' in row ? row.id : row.paymentId);

export interface DataTableProps<Row> {
  name: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  empty: string;
  actions?: ((row: Row) => ReactNode) | undefined;
  focusableRows?: boolean;
  tool: ReactNode;
  note: ReactNode;
  /** Called on export, because other pages may still be on the server. */
  fetchRows: () => Promise<readonly Row[]>;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  children?: ReactNode;
}

/** A page of a list with its tools. In narrower windows the table's rows are folded. */
export function DataTable<Row extends ListRow>(props: DataTableProps<Row>) {
  const { name, rows, tool, note, empty, page, pages, onPage } = props;
  return (
    <div className="grid gap-4">
      <div className="tools">
        {tool}
        <ExportTool {...props} />
      </div>
      {note}
      {rows.length === 0 ? <p className="empty">{empty}</p> : <RowsTable {...props} />}
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

type RowsTableProps<Row> = Pick<DataTableProps<Row>, 'name' | 'columns' | 'rows' | 'actions' | 'focusableRows'>;

export function RowsTable<Row extends ListRow>({ name, columns, rows, actions, focusableRows }: RowsTableProps<Row>) {
  const shown = columns.filter(({ exportOnly }) => !exportOnly);
  return (
    <div className="scroller" {...scrollable(`${name}, listed`)}>
      <table className="tbl tbl--fold">
        <caption className="sr">{name}</caption>
        <thead>
          <tr>
            {shown.map(({ label, kind }) => (
              <th key={label} className={kind === 'cents' ? 'r' : undefined}>
                {label}
              </th>
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
            <tr key={rowId(row)} data-row={rowId(row)} tabIndex={focusableRows ? -1 : undefined}>
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

function ExportTool<Row>({ name, columns, rows, fetchRows }: DataTableProps<Row>) {
  const { mutate: save, isPending } = useMutation({
    mutationFn: async () => {
      const exported = await fetchRows();
      const fileName = csvFileName(name, serverNow());
      saveFile(fileName, csvOf(columns, exported), 'text/csv');
      toast({ title: 'Exported', text: `${counted(exported.length, 'row')} in ${fileName}` });
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
      disabled={rows.length === 0}
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

type NamedGamer = { gamerTag: string | null; gamerId?: GamerId | null };

export function GamerName({ gamerTag, gamerId }: NamedGamer) {
  if (gamerTag === null) return <span className="dim">none</span>;
  if (!gamerId) return <b>{gamerTag}</b>;
  return <PageLink className="linkish" to="/admin/gamers/$gamerId" params={{ gamerId }} text={<b>{gamerTag}</b>} />;
}

/** Both lines are in one element, because a folded row spreads its children. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: string }) => (
  <span>
    {first}
    <br />
    <span className="dim t12">{second}</span>
  </span>
);

const text = columnOf('text');
const cents = columnOf('cents');

export const column = {
  text,
  cents,
  dateTime: columnOf('dateTime'),
  gamer: text<NamedGamer>('Gamer', (row) => row.gamerTag, { cell: GamerName }),
  amount: cents<{ amountCents: number }>('Amount', (row) => row.amountCents),
  coin: text<{ cryptoType: string | null }>('Coin', (row) => row.cryptoType),
  wallet: text<{ walletAddress: string; txid: string | null }>('Wallet', (row) => row.walletAddress, {
    cell: ({ walletAddress, txid }) => (
      <span>
        <Copyable noun="wallet address" text={walletAddress} />
        {txid !== null && <Copyable noun="transaction id" text={`Transaction ${shortened(txid)}`} copied={txid} />}
      </span>
    ),
  }),
  /** The chip of a completed withdrawal is green only for money paid to a gamer. */
  statusOf: (source: 'gamer' | 'profit') =>
    text<Pick<Withdrawal, 'status' | 'isCancelled'>>('Status', statusText, {
      cell: (row) => (
        <span
          className={
            row.status === 'completed' && source === 'gamer' ? 'chip chip--won' : STATUSES[row.status].panelChip
          }
        >
          {statusText(row)}
        </span>
      ),
    }),
  transaction: text<{ txid: string | null }>('Transaction', (row) => row.txid, { exportOnly: true }),
  id: text<{ id: string }>('Id', (row) => row.id, { exportOnly: true }),
};
