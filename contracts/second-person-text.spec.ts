import { secondPersonChangeText, secondPersonText } from './second-person-text.js';

const limits = { aboveCents: 50_000, aboveCentsPerDay: 200_000 };
const ONE_ACT = 'One adjustment or payout above $500.00 needs a second person.';
const BOTH = `${ONE_ACT} So does anything beyond $2,000.00 that one person moves alone in a day.`;

it('tells the limits, or that there is none', () => {
  expect(secondPersonText(limits)).toBe(BOTH);
  expect(secondPersonText({ ...limits, aboveCentsPerDay: null })).toBe(ONE_ACT);
  expect(secondPersonText({ ...limits, aboveCents: null })).toBe(
    'Anything beyond $2,000.00 that one person moves alone in a day needs a second person.',
  );
  expect(secondPersonText({ aboveCents: null, aboveCentsPerDay: null })).toBe(
    'No adjustment or payout needs a second person.',
  );
  // Version 1 of the event does not name the limit of a day.
  expect(secondPersonText({ aboveCents: 50_000 })).toBe(ONE_ACT);
});

it('tells the former values of the limits that changed', () => {
  const change = (before: Partial<typeof limits>) => secondPersonChangeText(limits, { ...limits, ...before });
  expect(change({})).toBe(BOTH);
  expect(change({ aboveCents: 100_000 })).toBe(`${BOTH} Before: $1,000.00 for one act.`);
  expect(secondPersonChangeText(limits, { aboveCents: null, aboveCentsPerDay: 300_000 })).toBe(
    `${BOTH} Before: no limit for one act, $3,000.00 in a day.`,
  );
  expect(secondPersonChangeText({ aboveCents: 50_000 }, { ...limits, aboveCents: null })).toBe(
    `${ONE_ACT} Before: no limit for one act.`,
  );
});
