import type { AuditLine } from '../../../../../contracts/http/audit.js';
import { hasNewer, hereAbove, isWithin, newerPage, olderPage, pageAround } from './ledger-page.js';

const line = (number: number): AuditLine => ({
  number,
  atEpochMs: number,
  type: 'TimeExtended',
  gamer: null,
  says: '',
  movesCents: 0,
});
const rows = [104, 103, 102, 101, 100, 99].map(line);
const all = { rows: 15, lastNumber: 200, isFiltered: false };

describe('the pages of the ledger', () => {
  it('open at the chosen moment, with a few rows that had not happened yet', () => {
    expect(pageAround(100)).toEqual({ before: 105, newer: [], isTurned: false });
  });

  it('turn to older ones and back the same way', () => {
    const older = olderPage(olderPage(pageAround(100), 90), 75);
    expect(older).toEqual({ before: 75, newer: [105, 90], isTurned: true });
    expect(newerPage(older, all)).toEqual({ before: 90, newer: [105], isTurned: true });
    expect(newerPage(newerPage(older, all), all).before).toBe(105);
  });

  it('turn to newer ones, up to the newest', () => {
    expect(newerPage(pageAround(100), all).before).toBe(120);
    expect(newerPage(pageAround(190), all).before).toBe(201);
    expect(newerPage(pageAround(100), { ...all, isFiltered: true }).before).toBe(201);
  });

  it('know whether there are newer ones', () => {
    expect(hasNewer(pageAround(200), 200)).toBe(false);
    expect(hasNewer(pageAround(196), 200)).toBe(false);
    expect(hasNewer(pageAround(195), 200)).toBe(true);
    expect(hasNewer(olderPage(pageAround(200), 190), 200)).toBe(true);
  });

  it('hold an event, or do not', () => {
    expect([98, 99, 104, 105].map((number) => isWithin(number, rows))).toEqual([false, true, true, false]);
    expect(isWithin(1, [])).toBe(false);
  });
});

describe('the line "you are here"', () => {
  const between = { isFirst: false, isLast: false };

  it('stands between what had happened and what had not', () => {
    expect(hereAbove(102, rows, between)).toBe(2);
    expect(hereAbove(104, rows, between)).toBe(0);
    const some = [104, 101, 90].map(line);
    expect(hereAbove(102, some, between)).toBe(1);
  });

  it('is not there on pages before and after it', () => {
    expect(hereAbove(150, rows, between)).toBeNull();
    expect(hereAbove(98, rows, between)).toBeNull();
    expect(hereAbove(98, [], { isFirst: true, isLast: true })).toBeNull();
  });

  it('stands at the end of a list that ends there', () => {
    expect(hereAbove(150, rows, { isFirst: true, isLast: false })).toBe(0);
    expect(hereAbove(98, rows, { isFirst: false, isLast: true })).toBe(6);
  });
});
