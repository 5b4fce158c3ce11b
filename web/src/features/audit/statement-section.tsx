import { useState } from 'react';
import * as http from '../../../../contracts/http/statements.js';
import { DEFAULT_STATEMENT_DAYS } from '../../../../contracts/limits.js';
import { dayInNewYork, daysUntil, startOfNewYorkDay } from '../../../../contracts/new-york.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { serverNow, useServerNow } from '../../shared/clock.js';
import { type Column, csvFileName, csvOf, saveFile } from '../../shared/files.js';
import { counted, dateTimeText, dayText, numberText } from '../../shared/format.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/query-result.js';
import { Table } from '../../shared/ui/table.js';
import { type StatementRequest, useStatement, useVerification } from './audit.queries.js';
import { amountText, CheckLine, fullTimeText, Hash, isOfGamer, signedText, statementName } from './audit-parts.js';

export function StatementSection({ onChoose }: OnChoose) {
  const [request, setRequest] = useState(() => firstStatement(serverNow()));
  const { data, error, isPending, isError, isFetching, refetch } = useStatement(request);
  return (
    <section className="sheet" aria-label="Statement" aria-busy={isFetching}>
      <StatementForm initial={request} onShow={setRequest} />
      {isPending && <Loading label="Loading the statement" rows={5} />}
      {isError && <LoadFailure text={reasonOf(error, 'The statement could not be loaded')} onRetry={refetch} />}
      {data && !isError && (
        <>
          <Heading statement={data} />
          <StatementTable statement={data} onChoose={onChoose} />
          <div className="seal">
            <ServedCheck statement={data} />
            <ReplayCheck />
          </div>
        </>
      )}
    </section>
  );
}

function Heading({ statement }: { statement: http.StatementResponse }) {
  const { account, gamer, from, to } = statement;
  return (
    <div className="sheet-h">
      <PrintHead />
      <div>
        <p className="label">Statement</p>
        <h2>{statementName(account, gamer?.gamerTag ?? null)}</h2>
        <p className="t14 dim">
          {`${dayText(startOfNewYorkDay(from))} to ${dayText(startOfNewYorkDay(to))}, New York time`}
        </p>
      </div>
      <div className="actions">
        <Button kind="line sm" text="Print" onClick={() => window.print()} />
        <Button
          kind="line sm"
          text="Download CSV"
          onClick={() => saveFile(statementFileName(statement, serverNow()), statementCsv(statement), 'text/csv')}
        />
      </div>
    </div>
  );
}

function PrintHead() {
  const nowMs = useServerNow(60_000);
  return (
    <p className="print-head">
      <b>Omni Jackpot</b>
      <span className="num">
        <span>{`Printed ${fullTimeText(nowMs)}`}</span>
        <br />
        {window.location.origin}/audit
      </span>
    </p>
  );
}

function ServedCheck({ statement: { servedCents, closingCents } }: { statement: http.StatementResponse }) {
  if (servedCents === null)
    return <p className="dim">This statement ends before today, and the tables hold only the current balance.</p>;
  const holds = servedCents === closingCents;
  const verdict = holds ? 'Matches the tables to the cent.' : 'Does NOT match the tables:';
  return (
    <CheckLine holds={holds}>
      <b>{verdict}</b> <span>{`${holds ? 'They' : 'they'} serve ${amountText(servedCents)}.`}</span>
    </CheckLine>
  );
}

function ReplayCheck() {
  const { data } = useVerification();
  const endedAtMs = data?.state === 'done' ? data.finishedAtMs : null;
  if (!data?.verdict || endedAtMs === null)
    return (
      <p className="dim">
        Not verified: the whole log has not been replayed on this server recently.
        <span className="screen-only"> See Verification above.</span>
      </p>
    );
  const { findingCount, events, chain } = data.verdict;
  if (findingCount > 0)
    return (
      <CheckLine holds={false}>
        <b>{`The last replay of the log has ${counted(findingCount, 'finding')}.`}</b>
        <span className="screen-only"> See Verification above.</span>
      </CheckLine>
    );
  return (
    <CheckLine holds>
      <b>Events 1 to {numberText(events)} replayed without a finding</b> on {fullTimeText(endedAtMs)}; chain at the end{' '}
      <span className="screen-only">
        <Hash of={chain} />
      </span>
      <span className="print-only code">{chain}</span>.
    </CheckLine>
  );
}

const gamersAccounts = { winnings: 'A gamer’s winnings', purchase: 'A gamer’s purchase balance' };
const accounts = http.STATEMENT_ACCOUNTS.map((account) => ({
  value: account,
  text: isOfGamer(account) ? gamersAccounts[account] : account,
}));

function StatementForm({ initial, onShow }: { initial: StatementRequest; onShow: (next: StatementRequest) => void }) {
  const { values, bind, change } = useFields({ ...initial, gamer: initial.gamer ?? '' });
  const { account } = values;
  const submit = () => onShow({ ...values, gamer: isOfGamer(account) ? values.gamer.trim() : undefined });
  return (
    <Form className="statement-form" label="Statement" onSubmit={submit}>
      <Field
        label="Account"
        value={account}
        options={accounts}
        onChange={(chosen) => change({ account: chosen as http.StatementAccount })}
      />
      {isOfGamer(account) && <Field label="GamerTag" spellCheck={false} autoCapitalize="off" {...bind('gamer')} />}
      <Field label="From" type="date" max={values.to} {...bind('from')} />
      <Field label="To" type="date" min={values.from} {...bind('to')} />
      <Button type="submit" kind="act" text="Show statement" />
    </Form>
  );
}

type OnChoose = { onChoose: (number: number) => void };

function StatementTable({ statement, onChoose }: { statement: http.StatementResponse } & OnChoose) {
  const { account, from, openingCents, lines, closingCents } = statement;
  const closing = (
    <tr>
      <td className="cell-name" colSpan={4}>
        Closing balance
      </td>
      <td className="cell-amount r num">{amountText(closingCents)}</td>
    </tr>
  );
  return (
    <Table caption="Statement" columns={columns.map(({ label }) => label)} right={2} foot={closing}>
      <tr>
        <td className="cell-context num">{dayText(startOfNewYorkDay(from))}</td>
        <td className="cell-note" />
        <td className="cell-name">Opening balance</td>
        <td className="cell-amount r" />
        <td className="cell-balance r num">{amountText(openingCents)}</td>
      </tr>
      {lines.map((line) => (
        <Line key={line.number} line={line} isWinnings={account === 'winnings'} onChoose={onChoose} />
      ))}
    </Table>
  );
}

function Line({ line, isWinnings, onChoose }: { line: http.StatementLine; isWinnings: boolean } & OnChoose) {
  const { number, atMs, eventCount, description, cents, balanceCents } = line;
  return (
    <tr>
      <td className="cell-context num">{dateTimeText(atMs)}</td>
      <td className="cell-note num">
        <Button
          className="linkish"
          text={numberText(number)}
          aria-label={`Event ${numberText(number)}`}
          onClick={() => onChoose(number)}
        />
        {eventCount > 1 && <span className="dim"> and {numberText(eventCount - 1)} before</span>}
      </td>
      <td className="cell-name">{description}</td>
      <td className={`cell-amount r num ${isWinnings && cents > 0 ? 'won' : ''}`}>{signedText(cents)}</td>
      <td className="cell-balance r num">{amountText(balanceCents)}</td>
    </tr>
  );
}

export function firstStatement(nowMs: number): StatementRequest {
  const days = daysUntil(dayInNewYork(nowMs), DEFAULT_STATEMENT_DAYS);
  return { account: 'jackpot', from: days[0] as string, to: days.at(-1) as string };
}

/** The opening and the closing balance have no event. */
type CsvRow = Pick<http.StatementLine, 'description' | 'balanceCents'> & Partial<http.StatementLine>;

const columns: Column<CsvRow>[] = [
  { label: 'When', kind: 'dateTime', value: (row) => row.atMs ?? null },
  { label: 'Event', kind: 'text', value: (row) => row.number?.toString() ?? null },
  { label: 'What', kind: 'text', value: (row) => row.description },
  { label: 'Amount', kind: 'cents', value: (row) => row.cents ?? null },
  { label: 'Balance', kind: 'cents', value: (row) => row.balanceCents },
];

export const statementCsv = ({ openingCents, lines, closingCents }: http.StatementResponse): string =>
  csvOf<CsvRow>(columns, [
    { description: 'Opening balance', balanceCents: openingCents },
    ...lines,
    { description: 'Closing balance', balanceCents: closingCents },
  ]);

export const statementFileName = ({ account, gamer }: http.StatementResponse, nowMs: number): string =>
  csvFileName(`Statement ${statementName(account, gamer?.gamerTag ?? null)}`, nowMs);
