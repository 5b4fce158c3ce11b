/*
 * Forged logs, one for each rule. Each is an honest history with one forgery and a correctly recomputed chain, as a person
 * with write access to the log could make it: only the rules find it, and each finding names the forgery.
 */

import { FORGED_ACTORS } from '../testing/forged-actors.js';
import { FORGED_MONEY } from '../testing/forged-money.js';
import { FORGED_ROUNDS } from '../testing/forged-rounds.js';
import { findingsIn, honest } from '../testing/forgeries.js';

it('finds nothing in the honest scenario, which has every event', () => {
  expect(findingsIn(honest())).toEqual([]);
  expect(new Set(honest().map(({ event }) => event.type)).size).toBe(32);
});

const FORGERIES = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS];

it.each(FORGERIES)('finds %s', (_rule, forge, says) => {
  expect(findingsIn(forge(honest())).join('\n')).toContain(says);
});
