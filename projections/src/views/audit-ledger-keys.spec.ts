import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import { eventsOf } from '../../../contracts/events/testing/golden.js';
import { keysOf } from './audit-ledger-index.view.js';

const id = '0c5adc86-2f4f-4d1d-a0d3-7a3c5f4f9f11';
const metadata = {
  at: 1,
  actor: { id: 'admin1', role: 'admin' },
  commandId: 'C-17',
  commandHash: 'f'.repeat(64),
  chain: `${'ab'.repeat(12)}${'cd'.repeat(20)}`,
  schema: 1,
} as const;
const CHAIN = 'ab'.repeat(12);
const OF_ANY = ['0c5adc86-2f4f-4d1d-a0d3-', 'c-17', CHAIN];

/** The number of the golden event of its type, and its keys. The second purchase is by an invoice. */
it.each<[LedgerEvent['type'], number, string[]]>([
  ['TokenPurchased', 0, ['f0000000000000000017', 'c-17', CHAIN]],
  ['TokenPurchased', 1, ['f0000000000000000018', 'c-17', CHAIN, 'dan0000000aa', '5000000005']],
  ['TimeExtended', 0, [CHAIN]],
  ['GamerEnrolled', 0, ['house00000aa', ...OF_ANY]],
  ['GamerEnrolled', 2, ['bob0000000aa', 'alice00000aa', ...OF_ANY]],
  ['RoundEnded', 0, ['carol00000aa', 'f0000000000000000021', ...OF_ANY]],
  ['WithdrawalRequested', 0, ['f0000000000000000025', 'carol00000aa', 'ltc1qg82u8my8kg4qeymrsrv', ...OF_ANY]],
  ['WithdrawalCompleted', 1, ['f0000000000000000058', 'carol00000aa', 'ef'.repeat(12), ...OF_ANY]],
  ['DepositRecorded', 0, ['f0000000000000000010', '5000000003', 'bob0000000aa', ...OF_ANY]],
  ['DepositRecorded', 1, ['f0000000000000000011', '5000000004', ...OF_ANY]],
  ['GamerRemoved', 0, ['bob0000000aa', 'carol00000aa', 'alice00000aa', ...OF_ANY]],
  ['GameReset', 0, OF_ANY],
])('%s %i has the ids in it as keys, once each, in lower case and shortened', (type, number, expected) => {
  const { event } = eventsOf<LedgerEvent>([type])[number]!;
  expect(keysOf({ id, event, metadata })).toEqual(expected);
});
