/* docs/for-auditors.md, read by this test as a stranger would read it: its tables and worked numbers must be true. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CRYPTO_TYPES } from '../../contracts/crypto.js';
import type { Fields } from '../../contracts/events/fields.js';
import { EVENT_FIELDS } from '../../contracts/events/schemas.js';
import { LEDGER_EVENT_TYPES } from '../../contracts/http/audit.js';
import { postings } from '../../domain/ledger/postings.js';
import { Matrix } from '../rules/entitlements.js';
import { honest } from '../testing/forgeries.js';
import { jsonLine } from './reports.js';

const page = readFileSync(path.join(__dirname, '..', '..', 'docs', 'for-auditors.md'), 'utf8');

/** Cells of the table rows below a heading, without their backticks. */
const rowsUnder = (heading: string): string[][] =>
  (page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Event|Entry|Account|Member|Gamer) \|/.test(line))
    .map((line) =>
      line
        .slice(2, -1)
        .split('|')
        .map((cell) => cell.replaceAll('`', '').trim()),
    );

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

it('lists every event with its fields and their versions', () => {
  const listed = rowsUnder('Events').map(([type = '', fields = '']) => {
    const versions = fields.split(', ').map((field) => {
      const [name = '', version = 'v1'] = field.split(' ');
      return [name, Number(version.slice(1))];
    });
    return [type, Object.fromEntries(versions)];
  });
  const known = LEDGER_EVENT_TYPES.map((type) => {
    const fields = Object.entries<Fields[string]>(EVENT_FIELDS[type]);
    return [type, Object.fromEntries(fields.map(([name, { version }]) => [name, version]))];
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
});

it('the verifier in Python lists the game’s coins', () => {
  const fields = readFileSync(path.join(__dirname, '..', 'independent', 'rules', 'fields.py'), 'utf8');
  const [, listed = ''] = /^COIN = one_of\((.+)\)$/m.exec(fields) ?? [];
  expect(JSON.parse(`[${listed}]`)).toEqual(CRYPTO_TYPES);
});

it('states the postings of every event', () => {
  const rows = rowsUnder('Postings');
  for (const { event } of honest()) {
    const stated = rows
      .filter(([type]) => type === event.type)
      .flatMap(([, account = '', cents = '', when = '']) => linesOf(event.data, account, cents, when));
    expect(summed(stated)).toEqual(summed(postings(event).map((one) => [one.account, one.cents])));
  }
  expect(rows).toHaveLength(35);
});

function linesOf(data: object, account: string, cents: string, when: string): [string, number][] {
  const value = (from: object, name: string): unknown =>
    name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | null)?.[part], from);
  const isForEach = when === 'for each of allocations';
  if (when === 'winner is not null' && value(data, 'winner') === null) return [];
  const [, source] = /^source = (\w+)$/.exec(when) ?? [];
  if (source !== undefined && value(data, 'source') !== source) return [];
  return (isForEach ? (value(data, 'allocations') as object[]) : [data]).map((from) => {
    const named = account.replace(/\{([\w.]+)\}/, (_, name: string) => String(value(from, name)));
    const amounts = cents.split(' ').map((term) => Number(value(from, term.slice(1))) * (term[0] === '+' ? 1 : -1));
    return [named, amounts.reduce((sum, amount) => sum + amount, 0)];
  });
}

function summed(lines: [string, number][]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [account, cents] of lines) sums[account] = (sums[account] ?? 0) + cents;
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

it('shows a true beginning of an export, and the lines that its first content hash and chain cover', () => {
  const [, exported = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
  expect(exported).toBe(honest().slice(0, 2).map(jsonLine).join(''));
  const first = JSON.parse(exported.split('\n')[0] ?? '');
  const [content = '', chained = ''] = [...page.matchAll(/```text\n([^`]+)```/g)].map(([, lines]) => lines);
  expect(chained).toBe(`${'0'.repeat(64)}\n${first.type}\n${sha256(content)}\n`);
  expect(page).toContain(`and its chain, \`${first.metadata.chain}\`, covers`);
  expect(sha256(chained)).toBe(first.metadata.chain);
});

it('shows a true matrix, before and after a removal', () => {
  const faults: string[] = [];
  const matrix = new Matrix((message) => faults.push(message));
  for (const [gamerId = '', sponsor = '', place = ''] of rowsUnder('The matrix, and whom a purchase pays')) {
    const [, slot = null, parentId = null] = /^slot (\d) of (\w+)$/.exec(place) ?? [];
    const sponsorId = sponsor === 'none' ? null : sponsor;
    matrix.enrol({ gamerId, sponsorId, parentId, slot: slot === null ? null : Number(slot) });
  }
  const [, moved = ''] = /`moved` is `([^`]+)`/.exec(page) ?? [];
  const removed = { gamerId: 'bob', moved: JSON.parse(moved), forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0 };
  matrix.remove(removed);
  expect(faults).toEqual([]);
  const above = (gamerId: string): string | undefined => matrix.of(gamerId)?.parent?.gamerId;
  expect([above('gina'), above('erin'), above('alice')]).toEqual(['erin', 'alice', 'admin']);
});
