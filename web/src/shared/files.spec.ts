import { type Column, csvFileName, csvOf } from './files.js';

interface Row {
  note: string | null;
  cents: number;
  atMs: number;
}

const columns: Column<Row>[] = [
  { label: 'Notes', kind: 'text', value: (row) => row.note },
  { label: 'Amount', kind: 'cents', value: (row) => row.cents },
  { label: 'Created', kind: 'dateTime', value: (row) => row.atMs, exportOnly: true },
];
const atMs = Date.UTC(2025, 9, 15, 0, 52, 7);
const noteOf = (note: string | null): string =>
  csvOf([columns[0]!], [{ note, cents: 0, atMs }]).slice('\ufeffNotes\r\n'.length);

describe('an exported file', () => {
  it('has a header, dollars and UTC times', () => {
    expect(
      csvOf(columns, [
        { note: 'sent', cents: 120_466, atMs },
        { note: null, cents: -5, atMs: 0 },
      ]),
    ).toBe(
      '\ufeffNotes,Amount (USD),Created\r\nsent,1204.66,2025-10-15T00:52:07.000Z\r\n,-0.05,1970-01-01T00:00:00.000Z\r\n',
    );
  });

  it.each([
    ['a, b', '"a, b"\r\n'],
    ['she said "no"', '"she said ""no"""\r\n'],
    ['two\nlines', '"two\nlines"\r\n'],
    [' kept ', '" kept "\r\n'],
    ['plain', 'plain\r\n'],
    ['', '\r\n'],
    [null, '\r\n'],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"\r\n`],
  ])('quotes %j only where needed', (note, record) => {
    expect(noteOf(note)).toBe(record);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u00a0=1', '\n=1', '＝1', '|cmd', '%x'])(
    'guards %j against being read as a formula',
    (note) => {
      expect(noteOf(note).replaceAll('"', '')).toBe(`'${note}\r\n`);
    },
  );

  it('has the list and the day in New York in its name', () => {
    expect(csvFileName('Withdrawals, pending', atMs)).toBe('withdrawals-pending-2025-10-14.csv');
  });
});
