/* Each log has one forgery and a correct chain: only the rules find it, and the finding names the forgery. */
import { CAROL } from '../../domain/testing/events.js';
import { FORGED_ACTORS } from '../testing/forged-actors.js';
import { FORGED_LOSSES } from '../testing/forged-losses.js';
import { FORGED_MONEY } from '../testing/forged-money.js';
import { FORGED_ROUNDS } from '../testing/forged-rounds.js';
import { audited, type Events, forged, honest } from '../testing/forgeries.js';

it('proves the honest scenario, which has every event: the last buyer wins the jackpot, to the cent', () => {
  const auditor = audited(honest());
  expect(auditor.findings).toEqual([]);
  expect(new Set(honest().map(({ event }) => event.type)).size).toBe(36);
  expect(auditor.rounds.ended).toMatchObject([{ roundId: 1, winnerId: CAROL, jackpotCents: 52 }]);
});

const FORGERIES = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS, ...FORGED_LOSSES];

it.each(FORGERIES)('finds forged log %#: %s', (says, forge) => {
  const { findings } = audited(forged(forge));
  expect(findings.map((finding) => finding.says).join('\n')).toContain(says);
});

it.each<[string, (events: Events) => Events]>([
  ['edited', (events) => events.with(4, { ...events[4], id: 'another' } as Events[number])],
  ['dropped', (events) => events.toSpliced(4, 1)],
  ['swapped with the next', (events) => events.toSpliced(4, 2, ...events.slice(4, 6).reverse())],
  ['there twice', (events) => events.toSpliced(4, 1, ...Array<Events[number]>(2).fill(events[4] as Events[number]))],
])('finds by the chain that an event was %s', (_name, sabotage) => {
  const findings = audited(sabotage(honest())).findings.map(({ says }) => says);
  expect(findings.join('\n')).toContain('has a chain that does not follow');
});

it('counts findings beyond the limit of kept ones', () => {
  const auditor = audited(Array<Events[number]>(2_000).fill(honest()[0] as Events[number]));
  expect(auditor.findings).toHaveLength(1_000);
  expect(auditor.findingCount).toBeGreaterThan(2_000);
});
