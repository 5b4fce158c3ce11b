/*
 * Forged logs, one for each rule. Each is an honest history with one forgery and a correctly recomputed chain, as a person
 * with write access to the log could make it: only the rules find it, and each finding names the forgery.
 */

import { FORGED_ACTORS } from './testing/forged-actors.js';
import { FORGED_MONEY } from './testing/forged-money.js';
import { FORGED_ROUNDS } from './testing/forged-rounds.js';
import { aCentMoreByTheNewest, FORGED_SECOND_PERSON, givenByOlderVersions } from './testing/forged-second-person.js';
import { findingsIn, honest } from './testing/forgeries.js';
import { recorded } from './testing/histories.js';

it('finds nothing in the honest scenario, which has every event', () => {
  expect(findingsIn(honest())).toEqual([]);
  expect(new Set(honest().map(({ event }) => event.type)).size).toBe(35);
});

const FORGERIES = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS, ...FORGED_SECOND_PERSON];

it.each(FORGERIES)('finds %s', (_rule, forge, says) => {
  expect(findingsIn(forge(honest())).join('\n')).toContain(says);
});

it('allows what one person moved alone in a day by older versions, and counts it from the first newer one on', () => {
  expect(findingsIn(recorded(givenByOlderVersions()))).toEqual([]);
  expect(findingsIn(recorded(aCentMoreByTheNewest()))).toEqual([
    'BalanceAdjusted moves $0.01, which makes $2500.01 that admin moved alone in the day, and $2000.00 are the most',
  ]);
});
