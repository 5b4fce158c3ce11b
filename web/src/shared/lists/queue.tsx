import { useQueryClient } from '@tanstack/react-query';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type Command, codeOf, reasonOf, sendCommand } from '../api/api-client.js';
import { useServerNow } from '../clock.js';
import { cellText } from '../files.js';
import { counted, formatCents } from '../format.js';
import { useSession } from '../session.queries.js';
import type { ConfirmDialogProps } from '../ui/admin-parts.js';
import { Button } from '../ui/controls.js';
import { Notice } from '../ui/notice.js';
import { toast, toastProblem } from '../ui/toasts.js';
import type { TableColumn } from './data-table.js';
import { type NewestRows, NewestTable, rowsOf, type TableProps } from './list-table.js';

export interface QueueAction<Row> {
  /** The key of the action, which acts on the selected rows, or else on the row with the focus. */
  letter: string;
  text: string;
  kind: 'line' | 'danger';
  offers: (row: Row) => boolean;
  dialog: (props: DecisionProps<Row>) => ReactNode;
}

/** `listed`: ids of the listed rows when the dialog opened. */
type Question = { letter: string; ids: readonly string[]; listed: readonly (string | undefined)[]; isNext: boolean };

type QueueRow = { id: string; amountCents: number; createdAt: number };

interface QueueProps<Row extends QueueRow> extends TableProps<Row> {
  list: NewestRows<Row>;
  /** Settled rows, the newest first. Their `outcome` completes "already …": "completed". */
  settled: readonly (Row & { settledBy: string | null; settledAtMs: number | null; outcome: string })[];
  /** Enter does the first one that the row offers. */
  decisions: readonly QueueAction<Row>[];
  nameOf: (row: Row) => string;
  onPaste?: (id: string, text: string) => void;
}

const SETTLED_SHOWN_MS = 60_000;
const TEXT_FIELD = 'input:not([type=checkbox])';

/** A list of cases to decide, one by one or several at once, by buttons or by keys while the focus is on a row. */
export function Queue<Row extends QueueRow>(props: QueueProps<Row>) {
  const { settled, decisions, columns, actions, nameOf, onPaste, ...table } = props;
  const box = useRef<HTMLElement>(null);
  const lastFocus = useRef<{ element: Element; index: number } | null>(null);
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([]);
  const [question, setQuestion] = useState<Question | null>(null);
  const nowMs = useServerNow(10_000);
  const myTag = useSession()?.gamerTag;
  const { list } = table;
  const waiting = rowsOf(list);
  const isWaiting = ({ id }: Row) => waiting.some((row) => row.id === id);
  const settledByOthers = settled.filter((row) => {
    // A row that the gateway's own message settled has no GamerTag here.
    const isOfAnother = row.settledBy !== null && row.settledBy !== myTag;
    return isOfAnother && nowMs - (row.settledAtMs ?? 0) < SETTLED_SHOWN_MS && !isWaiting(row);
  });
  const rows = [...waiting, ...settledByOthers].sort((one, other) => one.createdAt - other.createdAt);
  const selected = waiting.filter(({ id }) => selectedIds.includes(id));

  const select = ({ id }: Row, isSelected: boolean) =>
    setSelectedIds([...selectedIds.filter((one) => one !== id), ...(isSelected ? [id] : [])]);
  const ask = (action: QueueAction<Row>, about: readonly Row[], isNext = false) => {
    const ids = about.filter(action.offers).map(({ id }) => id);
    setQuestion({ letter: action.letter, ids, listed: elements().map(({ dataset }) => dataset.row), isNext });
    // The gamer may have cancelled the withdrawal a moment ago.
    void list.refetch();
  };

  /** The listed rows: those of this page that the search found. */
  const elements = () => [...(box.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const indexOfFocus = () => elements().findIndex((element) => element.contains(document.activeElement));
  const focusedRow = () => waiting.find(({ id }) => id === elements()[indexOfFocus()]?.dataset.row);
  const move = (steps: number) => {
    const listed = elements();
    listed[Math.min(Math.max(0, indexOfFocus() + steps), listed.length - 1)]?.focus();
  };
  const selectAndMove = (row: Row, isSelected: boolean) => {
    select(row, isSelected);
    move(1);
  };
  const selectAll = () =>
    setSelectedIds(selected.length > 0 ? [] : elements().map(({ dataset }) => dataset.row as string));
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const target = event.target as Element;
    const isOnRow = target.matches('tr');
    // Ctrl+V on a row pastes into the row's text field.
    if (key === 'v' && (ctrlKey || metaKey) && isOnRow) target.querySelector<HTMLElement>(TEXT_FIELD)?.focus();
    if (ctrlKey || metaKey || altKey || target.matches(TEXT_FIELD)) return;
    const row = focusedRow();
    const about = selected.length > 0 || !row ? selected : [row];
    const keys: Record<string, () => void> = { j: () => move(1), k: () => move(-1), X: selectAll };
    for (const action of decisions) keys[action.letter] = () => ask(action, about);
    if (row) {
      const opening = decisions.find(({ offers }) => offers(row));
      if (isOnRow && opening) keys.Enter = () => ask(opening, [row]);
      keys.x = () => selectAndMove(row, !selected.includes(row));
    }
    if (key in keys) event.preventDefault();
    keys[key]?.();
  };
  // A new list takes the focus from the link that led to it, and the next row takes it from a row that left the list.
  useEffect(() => {
    // Waits until a dialog that closes has returned the focus.
    const timer = setTimeout(() => {
      const { activeElement } = document;
      const { element, index = 0 } = lastFocus.current ?? {};
      const isLost = element
        ? activeElement === document.body && !element.isConnected
        : activeElement?.matches('body, [aria-current=page]');
      if (isLost) (elements()[index] ?? elements().at(-1))?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  });

  const buttons = (about: readonly Row[], rowName: string) =>
    decisions
      .filter(({ offers }) => about.some(offers))
      .map((action) => (
        <Button
          key={action.letter}
          kind={`${action.kind} sm`}
          aria-label={`${action.text} ${rowName}`}
          aria-keyshortcuts={action.letter}
          text={[`${action.text} `, <kbd key="letter">{action.letter}</kbd>]}
          onClick={() => ask(action, about)}
        />
      ));
  const firstCell = (row: Row, { cell, ...column }: TableColumn<Row>) => (
    <span className="case">
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        disabled={!isWaiting(row)}
        checked={selected.includes(row)}
        onChange={({ target }) => select(row, target.checked)}
      />
      {cell ? cell(row) : cellText(column, row)}
    </span>
  );
  const lastCell = (row: Row) => {
    const settledRow = settledByOthers.find(({ id }) => id === row.id);
    if (settledRow)
      return <Notice tone="bad" urgent text={`Already ${settledRow.outcome} by ${settledRow.settledBy}`} />;
    return [actions?.(row), ...buttons([row], nameOf(row))];
  };
  // The rows as they are now: the dialog shows changes that another admin made since it opened.
  const rowsInQuestion = waiting.filter(({ id }) => question?.ids.includes(id));
  const action = decisions.find(({ letter }) => letter === question?.letter);
  const offered = rowsInQuestion.filter((row) => action?.offers(row));
  const [first, ...others] = offered.length > 0 ? offered : rowsInQuestion;
  const placeOf = ({ id }: Row) => question?.listed.indexOf(id) ?? -1;
  const next = waiting.find((row) => first && placeOf(row) > placeOf(first) && action?.offers(row));
  return (
    <>
      <section
        ref={box}
        className="queue"
        aria-label={table.noun}
        onKeyDown={press}
        onPaste={(event) => {
          const row = focusedRow();
          if (!row || !onPaste || !elements()[indexOfFocus()]?.querySelector(TEXT_FIELD)) return;
          event.preventDefault();
          onPaste(row.id, event.clipboardData.getData('text').trim());
          selectAndMove(row, true);
        }}
        onFocus={({ target }) => {
          lastFocus.current = { element: target, index: Math.max(0, indexOfFocus()) };
        }}
      >
        <NewestTable<Row>
          {...table}
          list={{ ...list, data: list.data && { ...list.data, rows } } as typeof list}
          columns={columns.map((each, index) => (index > 0 ? each : { ...each, cell: (row) => firstCell(row, each) }))}
          actions={lastCell}
          focusableRows
        />
        {waiting.length > 0 && (
          <div className="chosen">
            <p className="keys t14 dim">
              <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>x</kbd> select, <kbd>Enter</kbd> open
            </p>
            <p className="num" aria-live="polite">
              {selected.length > 0 && `${counted(selected.length, 'row')} selected, ${formatCents(sumOf(selected))}`}
            </p>
            <div className="actions">
              {buttons(selected, `the ${counted(selected.length, 'selected row')}`)}
              <Button
                kind="text sm"
                aria-keyshortcuts="Shift+X"
                text={[selected.length > 0 ? 'Clear ' : 'Select all ', <kbd key="letter">Shift x</kbd>]}
                onClick={selectAll}
              />
            </div>
          </div>
        )}
      </section>
      {question && action && first && (
        <Fragment key={question.ids[0]}>
          {action.dialog({
            rows: [first, ...others],
            isNext: question.isNext,
            onClose: () => setQuestion(null),
            ...(question.ids.length === 1 && next && { onNext: () => ask(action, [next], true) }),
          })}
        </Fragment>
      )}
    </>
  );
}

/** The rows that a dialog asks about. A row that leaves the list meanwhile leaves them too. */
export interface DecisionProps<Row> extends Pick<ConfirmDialogProps, 'onNext' | 'isNext' | 'onClose'> {
  rows: readonly [Row, ...Row[]];
}

interface Decision<Row> {
  /** Completes "You want to …" and "Failed to …". */
  intent: string;
  failureTitle: string;
  title: string;
  noun: 'deposit' | 'withdrawal';
  /** "completed" of "$10.00: completed." */
  outcome: string;
  commandOf: (row: Row) => Command;
}

/** Returns a function that sends a command for each row, and returns the refusals' text or null. A refusal does not stop the others. */
export function useDecision<Row extends QueueRow>(decision: Decision<Row>) {
  const { intent, failureTitle, title, noun, outcome, commandOf } = decision;
  const client = useQueryClient();
  return async (rows: readonly Row[]): Promise<string | null> => {
    const decided: Row[] = [];
    const problems = new Set<string>();
    for (const row of rows)
      try {
        await sendCommand({ intent, ...commandOf(row) }, false);
        decided.push(row);
      } catch (error) {
        problems.add(reasonOf(error, `Failed to ${intent}`));
        // The second factor would be asked for each row.
        if (codeOf(error) === 'step-up-required') break;
      }
    void client.invalidateQueries({ queryKey: ['/api', 'admin'] });
    const text = decided.length > 0 ? `${sumText(decided, noun)}: ${outcome}.` : '';
    if (problems.size > 0) return toastProblem(failureTitle, [text, ...problems].filter(Boolean).join(' '));
    toast({ title, text });
    return null;
  };
}

export const sumOf = (rows: readonly Pick<QueueRow, 'amountCents'>[]): number =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** "$10.00", or "3 withdrawals of $33.00 in all" */
export const sumText = (rows: readonly QueueRow[], noun: string): string =>
  rows.length === 1 ? formatCents(sumOf(rows)) : `${counted(rows.length, noun)} of ${formatCents(sumOf(rows))} in all`;
