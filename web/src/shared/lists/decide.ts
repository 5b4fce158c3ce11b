import { useQueryClient } from '@tanstack/react-query';
import { codeOf, reasonOf } from '../api/api-client.js';
import { type Command, sendCommand } from '../api/use-api.js';
import { counted, formatCents } from '../format.js';
import type { ConfirmDialogProps } from '../ui/admin-parts.js';
import { toast, toastProblem } from '../ui/toasts.js';

export interface Decidable {
  id: string;
  amountCents: number;
}

/** The rows that a dialog asks about. A row that leaves the list meanwhile leaves them too. */
export interface Asked<Row> extends Pick<ConfirmDialogProps, 'onNext' | 'onClose'> {
  rows: readonly [Row, ...Row[]];
}

interface Decision<Row> {
  /** Completes "You want to …" and "Failed to …". */
  what: string;
  failed: string;
  title: string;
  noun: 'deposit' | 'withdrawal';
  /** "completed" of "$10.00: completed." */
  outcome: string;
  commandOf: (row: Row) => Command;
}

/** A function that sends a command for each row. It returns why some were refused, or null; a refusal does not stop the others. */
export function useDecision<Row extends Decidable>(decision: Decision<Row>) {
  const { what, failed, title, noun, outcome, commandOf } = decision;
  const client = useQueryClient();
  return async (rows: readonly Row[]): Promise<string | null> => {
    const decided: Row[] = [];
    const problems = new Set<string>();
    for (const row of rows)
      try {
        await sendCommand({ what, ...commandOf(row) }, false);
        decided.push(row);
      } catch (error) {
        problems.add(reasonOf(error, `Failed to ${what}`));
        // It would be asked for each.
        if (codeOf(error) === 'step-up-required') break;
      }
    void client.invalidateQueries({ queryKey: ['/api', 'admin'] });
    const text = decided.length > 0 ? `${sumText(decided, noun)}: ${outcome}.` : '';
    if (problems.size > 0) return toastProblem(failed, [text, ...problems].filter(Boolean).join(' '));
    toast({ title, text });
    return null;
  };
}

export const sumOf = (rows: readonly Pick<Decidable, 'amountCents'>[]): number =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** "$10.00", or "3 withdrawals of $33.00 in all" */
export const sumText = (rows: readonly Decidable[], noun: string): string =>
  rows.length === 1 ? formatCents(sumOf(rows)) : `${counted(rows.length, noun)} of ${formatCents(sumOf(rows))} in all`;
