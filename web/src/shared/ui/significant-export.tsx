import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignificantEvent, SignificantEventsResponse } from '../../../../contracts/http/audit.js';
import { LARGE_CENTS, MAX_STATEMENT_DAYS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { countDays, dayInNewYork, daysUntil, isNewYorkDay } from '../../../../contracts/new-york.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { get, reasonOf } from '../api/api-client.js';
import { serverNow } from '../clock.js';
import { type Column, csvFileName, csvOf, saveFile } from '../files.js';
import { counted } from '../format.js';
import { Button, Field, Form, SelectField, useFields } from './controls.js';
import { toast, toastProblem } from './toasts.js';

/** Bounds the memory of the page; the toast says when a file ends there. */
const MAX_EXPORTED = 20_000;

const columns: Column<SignificantEvent>[] = [
  { label: 'When', kind: 'dateTime', value: (row) => row.atEpochMs },
  { label: 'Event', kind: 'text', value: (row) => String(row.number) },
  { label: 'Type', kind: 'text', value: (row) => row.type },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamer?.gamerTag ?? null },
  { label: 'Gamer id', kind: 'text', value: (row) => row.gamer?.id ?? null },
  { label: 'By', kind: 'text', value: (row) => row.by },
  { label: 'Amount', kind: 'cents', value: (row) => row.movesCents },
  { label: 'Summary', kind: 'text', value: (row) => row.says },
  { label: 'Facts', kind: 'text', value: (row) => row.facts.map(({ name, value }) => `${name}: ${value}`).join('; ') },
];

const FORMATS = {
  CSV: { type: 'text/csv', write: (rows: readonly SignificantEvent[]) => csvOf(columns, rows) },
  JSONL: {
    type: 'application/json',
    write: (rows: readonly SignificantEvent[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
} as const;
type Format = keyof typeof FORMATS;

export function SignificantExport() {
  const days = daysUntil(dayInNewYork(serverNow()), 30);
  const { values, bind, setProblems } = useFields({ from: days[0] ?? '', to: days.at(-1) ?? '' });
  const [format, setFormat] = useState<Format>('CSV');
  const { from, to } = values;
  const { mutate: save, isPending } = useMutation({
    mutationFn: async () => {
      const { rows, isWhole } = await significantEvents(from, to);
      const { type, write } = FORMATS[format];
      const name = csvFileName(`significant-events-${from}-to`, Date.parse(`${to}T17:00:00Z`));
      saveFile(format === 'CSV' ? name : name.replace(/csv$/, 'jsonl'), write(rows), type);
      const text = isWhole ? '' : ' Older ones are left out: export fewer days.';
      toast({ title: 'Exported', text: `${counted(rows.length, 'event')}.${text}` });
    },
    onError: (error) => toastProblem('Export Failed', reasonOf(error, 'The events could not be loaded')),
  });
  const submit = () => {
    const count = isNewYorkDay(from) && isNewYorkDay(to) ? countDays(from, to) : 0;
    if (count < 1 || count > MAX_STATEMENT_DAYS)
      return setProblems({ from: refusalText({ code: 'invalid-statement-days' }) });
    setProblems({});
    save();
  };
  return (
    <Form label="Significant events" onSubmit={submit}>
      <p className="t14 dim">
        Limits, exclusions, adjustments, resets, outages, changes of staff, powers, timers and profile, and wins,
        deposits and withdrawals of {formatCents(LARGE_CENTS)} or more, from the ledger. Days are New York's.
      </p>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="From" type="date" max={values.to} {...bind('from')} />
        <Field label="To" type="date" min={values.from} {...bind('to')} />
        <SelectField
          label="Format"
          value={format}
          options={Object.keys(FORMATS).map((one) => ({ value: one, text: one }))}
          onChange={(chosen) => setFormat(chosen as Format)}
        />
      </div>
      <div className="actions">
        <Button type="submit" kind="line sm" text="Export significant events" busy={isPending && 'Exporting…'} />
      </div>
    </Form>
  );
}

async function significantEvents(from: string, to: string): Promise<{ rows: SignificantEvent[]; isWhole: boolean }> {
  const rows: SignificantEvent[] = [];
  let before: number | null = null;
  do {
    const parameters: Record<string, string | number> = before === null ? { from, to } : { from, to, before };
    const page: SignificantEventsResponse = await get(['/api', 'audit', 'significant-events', parameters]);
    rows.push(...page.events);
    before = page.nextBefore;
  } while (before !== null && rows.length < MAX_EXPORTED);
  return { rows, isWhole: before === null };
}
