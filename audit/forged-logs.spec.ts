/*
 * Forged logs, one for each rule. Each is an honest history with one forgery and a correctly recomputed chain, as a person
 * with write access to the log could make it: only the rules find it, and each finding names the forgery.
 */

import { FORGED_ACTORS } from './testing/forged-actors.js';
import { FORGED_MONEY } from './testing/forged-money.js';
import { FORGED_ROUNDS } from './testing/forged-rounds.js';
import { data, type Events, findingsIn, honest, metadata } from './testing/forgeries.js';

it('finds nothing in the honest scenario, which has every event', () => {
  expect(findingsIn(honest())).toEqual([]);
  expect(new Set(honest().map(({ event }) => event.type)).size).toBe(32);
});

/** Bob's limits as version 1 of the event has them, with this one for the spending of a day. */
const limitsOfVersion1 = (day: number) => (events: Events) => {
  for (const nth of [0, 1]) {
    metadata('LimitsSet', (one) => (one.schema = 1), nth)(events);
    data(
      'LimitsSet',
      (one) => {
        one.limits = { ...one.limits, spending: { day, week: null, month: null } };
        delete one.used;
      },
      nth,
    )(events);
  }
  return events;
};

const FORGERIES = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS];

it.each(FORGERIES)('finds %s', (_rule, forge, says) => {
  expect(findingsIn(forge(honest())).join('\n')).toContain(says);
});

it('counts limits of version 1 from the first one on', () => {
  expect(findingsIn(limitsOfVersion1(50)(honest()))).toEqual([]);
  expect(findingsIn(limitsOfVersion1(29)(honest()))).toContainEqual(
    'TokenPurchased breaks the spending limit of $0.29 a day',
  );
});
