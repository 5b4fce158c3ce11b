import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { honest } from '../testing/forgeries.js';
import { chainOf } from './chain.js';
import { schemaFaults } from './schema.js';

const recorded = honest()[0]!;
const withTrace = (traceparent: string): RecordedLedgerEvent => ({
  ...recorded,
  metadata: { ...recorded.metadata, traceparent },
});
const VALID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

it('is not covered by the chain', () => {
  expect(chainOf('0', withTrace(VALID))).toBe(chainOf('0', recorded));
});

it('is checked for its form only', () => {
  const faultsOf = ({ event, metadata }: RecordedLedgerEvent) => schemaFaults(event, metadata);
  expect(faultsOf(recorded)).toEqual([]);
  expect(faultsOf(withTrace(VALID))).toEqual([]);
  expect(faultsOf(withTrace('a hidden note'))).toEqual(['has metadata that no event may have']);
});
