import type { AuditLine } from '../../../../contracts/http/audit.js';
import { hasNewer, isWithin, newerPage, olderPage, pageAround, youAreHereIndex } from './ledger-section.js';

const line = (number: number) => ({ number }) as AuditLine;
const rows = [104, 103, 102, 101, 100, 99].map(line);
const all = { rows: 15, lastNumber: 200, isFiltered: false };

describe('the pages of the ledger', () => {
  it('start around the chosen event, with a few newer rows', () => {
    expect(pageAround(100)).toEqual({ before: 105, newer: [], isTurned: false });
  });

  it('turn to older pages, and back over the same pages', () => {
    const older = olderPage(olderPage(pageAround(100), 90), 75);
    expect(older).toEqual({ before: 75, newer: [105, 90], isTurned: true });
    expect(newerPage(older, all)).toEqual({ before: 90, newer: [105], isTurned: true });
    expect(newerPage(newerPage(older, all), all).before).toBe(105);
  });

  it('turn to newer pages, up to the newest', () => {
    expect(newerPage(pageAround(100), all).before).toBe(120);
    expect(newerPage(pageAround(190), all).before).toBe(201);
    expect(newerPage(pageAround(100), { ...all, isFiltered: true }).before).toBe(201);
  });

  it('tell whether newer pages exist', () => {
    expect(hasNewer(pageAround(200), 200)).toBe(false);
    expect(hasNewer(pageAround(196), 200)).toBe(false);
    expect(hasNewer(pageAround(195), 200)).toBe(true);
    expect(hasNewer(olderPage(pageAround(200), 190), 200)).toBe(true);
  });

  it('tell whether an event number is among their rows', () => {
    expect([98, 99, 104, 105].map((number) => isWithin(number, rows))).toEqual([false, true, true, false]);
    expect(isWithin(1, [])).toBe(false);
  });
});

describe('the line "you are here"', () => {
  const between = { isFirst: false, isLast: false };

  it('is between the events that had happened and those that had not', () => {
    expect(youAreHereIndex(102, rows, between)).toBe(2);
    expect(youAreHereIndex(104, rows, between)).toBe(0);
    const some = [104, 101, 90].map(line);
    expect(youAreHereIndex(102, some, between)).toBe(1);
  });

  it('is missing on the pages before and after the chosen event', () => {
    expect(youAreHereIndex(150, rows, between)).toBeNull();
    expect(youAreHereIndex(98, rows, between)).toBeNull();
    expect(youAreHereIndex(98, [], { isFirst: true, isLast: true })).toBeNull();
  });

  it('is at the top of the first page or at the end of the last page when the chosen event is beyond', () => {
    expect(youAreHereIndex(150, rows, { isFirst: true, isLast: false })).toBe(0);
    expect(youAreHereIndex(98, rows, { isFirst: false, isLast: true })).toBe(6);
  });
});
