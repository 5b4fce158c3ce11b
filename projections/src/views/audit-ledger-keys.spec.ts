import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import { ADMIN, tokenPurchased } from '../../../domain/testing/events.js';
import { keysOf } from './audit-ledger-index.view.js';

const metadata = {
  at: 1,
  actor: { id: 'admin1', role: 'admin' },
  commandId: 'C-17',
  commandHash: 'f'.repeat(64),
  chain: `${'ab'.repeat(12)}${'cd'.repeat(20)}`,
  schema: 1,
} as const;
const ofAny = ['0c5adc86-2f4f-4d1d-a0d3-', 'c-17', 'ab'.repeat(12)];
const keysOfEvent = (event: LedgerEvent) => keysOf({ id: '0c5adc86-2f4f-4d1d-a0d3-7a3c5f4f9f11', event, metadata });

const bought = tokenPurchased({
  purchaseId: 'p00000000000000000001',
  buyerId: 'bob',
  quantity: 1,
  allocations: [{ gamerId: 'alice', level: 1, direct: true, cents: 3 }],
  jackpotCents: 13,
  purchaseBalanceCents: 0,
});
const settled = { withdrawalId: 'w1', gamerId: 'bob', amountCents: 1, adminNotes: 'paid' };

it.each<[string, LedgerEvent, string[]]>([
  ['a purchase from the balance', bought, ['p00000000000000000001', 'c-17', 'ab'.repeat(12)]],
  [
    'a purchase by invoice',
    { ...bought, data: { ...bought.data, source: 'invoice', paymentId: '5077125051' } },
    ['p00000000000000000001', 'c-17', 'ab'.repeat(12), 'bob', '5077125051'],
  ],
  [
    'an extension',
    {
      type: 'TimeExtended',
      data: { roundId: 1, purchaseId: 'p1', buyerId: 'bob', addedSeconds: 30, endsAtEpochMs: 9 },
    },
    ['ab'.repeat(12)],
  ],
  [
    'an enrolment',
    { type: 'GamerEnrolled', data: { gamerId: 'bob', sponsorId: 'alice', parentId: 'alice', slot: 0 } },
    ['bob', 'alice', ...ofAny],
  ],
  [
    'the end of a round',
    {
      type: 'RoundEnded',
      data: {
        roundId: 1,
        winner: { gamerId: 'bob', purchaseId: 'p1' },
        jackpotCents: 13,
        endedAtEpochMs: 1,
        nextRoundAtEpochMs: 2,
        purchaseCount: 1,
      },
    },
    ['bob', 'p1', ...ofAny],
  ],
  [
    'a request for a payout',
    {
      type: 'WithdrawalRequested',
      data: {
        withdrawalId: 'w1',
        gamerId: 'bob',
        amountCents: 1,
        cryptoType: 'BTC',
        walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      },
    },
    ['w1', 'bob', '1boatslrhtknngkdxeeobr76', ...ofAny],
  ],
  ['a payout', { type: 'WithdrawalCompleted', data: { ...settled, txid: 'F00D' } }, ['w1', 'bob', 'f00d', ...ofAny]],
  [
    'a payout without a txid',
    { type: 'WithdrawalCompleted', data: { ...settled, txid: null } },
    ['w1', 'bob', ...ofAny],
  ],
  [
    'a deposit for review',
    {
      type: 'DepositRecorded',
      data: {
        depositId: 'd1',
        paymentId: '5077125051',
        purpose: 'deposit',
        gamerId: null,
        amountCents: 1,
        feeCents: 1,
        cryptoType: 'BTC',
        reason: 'unknown-order',
      },
    },
    ['d1', '5077125051', ...ofAny],
  ],
  [
    'a removal',
    {
      type: 'GamerRemoved',
      data: {
        gamerId: 'alice',
        moved: [{ gamerId: 'bob', parentId: ADMIN, slot: 0 }],
        forfeitedPurchaseCents: 0,
        forfeitedWinningsCents: 0,
      },
    },
    ['alice', 'bob', ADMIN, ...ofAny],
  ],
  [
    'a reset',
    { type: 'GameReset', data: { roundId: 1, carriedCents: 0, reason: 'a reason', purchaseCount: 0 } },
    ofAny,
  ],
])('%s has the ids in it as keys, once each, in lower case and shortened', (_, event, expected) => {
  expect(keysOfEvent(event)).toEqual(expected);
});
