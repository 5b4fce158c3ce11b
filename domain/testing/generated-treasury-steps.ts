import fc from 'fast-check';
import { idOf, quantity, someone } from './generated-picks.js';
import type { MakeCommand } from './generated-steps.js';
import type { Model } from './model.js';

/** As a rule a payment that was never heard of; now and then one that was. */
const paymentOf = (model: Model, pick: number): string => {
  const { payments } = model.treasury;
  const fresh = `pay${payments.size}`;
  return pick % 4 === 0 ? ([...payments.keys()][(pick >> 2) % payments.size] ?? fresh) : fresh;
};

/** As a rule one that can still be settled, if there is any. */
function oneOf(all: ReadonlyMap<string, { status: string }>, pick: number): string {
  const open = [...all].filter(([, { status }]) => status === 'pending' || status === 'processing');
  const among = pick % 5 === 0 || open.length === 0 ? [...all] : open;
  return among[(pick >> 2) % among.length]?.[0] ?? 'none';
}

const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 0.5, 700, 10_000_000) },
);
const feeCents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5) },
);
const money = fc.record({ amountCents: cents, feeCents, cryptoType: fc.constant('BTC' as const) });
const update = fc.record({
  status: fc.constantFrom('processing' as const, 'completed' as const, 'returned' as const),
  adminNotes: fc.constantFrom(null, 'generated'),
  txid: fc.constantFrom(null, 'ab12'),
});
/** Nothing, the least, a half, all, or a cent too many of what there is. */
const share = fc.constantFrom(
  () => 0,
  () => 999,
  () => 1_000,
  () => 1_000.5,
  (most: number) => Math.max(1_000, Math.ceil(most / 2)),
  (most: number) => most,
  (most: number) => most + 1,
);
const payoutOf = (amountCents: number) => ({ amountCents, cryptoType: 'BTC' as const, walletAddress: '1A' });

export const treasuryCommands: fc.WeightedArbitrary<MakeCommand>[] = [
  {
    weight: 3,
    arbitrary: fc.tuple(someone, someone, money).map(
      ([pick, which, paid]): MakeCommand =>
        (model) => ({
          type: 'CreditDeposit',
          paymentId: paymentOf(model, which),
          gamerId: idOf(model, pick),
          money: paid,
        }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(someone, someone, money, fc.constantFrom('deposit' as const, 'tokens' as const)).map(
      ([pick, which, paid, purpose]): MakeCommand =>
        (model) => ({
          type: 'RecordDeposit',
          paymentId: paymentOf(model, which),
          purpose,
          gamerId: pick % 4 === 0 ? null : idOf(model, pick),
          money: paid,
          reason: 'late',
        }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(someone, someone).map(
      ([pick, which]): MakeCommand =>
        (model) => ({
          type: 'ApproveDeposit',
          depositId: oneOf(model.treasury.deposits, which),
          gamerId: pick % 3 === 0 ? idOf(model, pick) : null,
        }),
    ),
  },
  {
    weight: 1,
    arbitrary: someone.map(
      (which): MakeCommand =>
        (model) => ({
          type: 'RejectDeposit',
          depositId: oneOf(model.treasury.deposits, which),
          adminNotes: which % 2 ? 'generated' : null,
        }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(someone, someone, quantity, fc.integer({ min: 0, max: 5 })).map(
      ([pick, which, count, of]): MakeCommand =>
        (model) => ({
          type: 'SettleInvoice',
          paymentId: paymentOf(model, which),
          gamerId: idOf(model, pick),
          quantity: count,
          // As a rule made for the round that is on.
          roundId: of === 0 ? null : of === 1 ? model.round - 1 : model.round,
          cryptoType: 'BTC',
        }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(someone, share).map(
      ([pick, part]): MakeCommand =>
        (model) => {
          const rich = [...model.gamers].filter(([, { winnings }]) => winnings >= 1_000);
          const gamerId = pick % 4 === 0 ? idOf(model, pick) : (rich[pick % rich.length]?.[0] ?? idOf(model, pick));
          const most = model.gamers.get(gamerId)?.winnings ?? 0;
          return { type: 'RequestWithdrawal', gamerId, payout: payoutOf(part(most)) };
        },
    ),
  },
  {
    weight: 2,
    arbitrary: share.map(
      (part): MakeCommand =>
        (model) => ({ type: 'RequestProfitWithdrawal', payout: payoutOf(part(model.profit)) }),
    ),
  },
  ...(['UpdateWithdrawal', 'UpdateProfitWithdrawal'] as const).map((type) => ({
    weight: 3,
    arbitrary: fc.tuple(someone, update).map(
      ([which, updated]): MakeCommand =>
        (model) => {
          const isRight = (gamer: string | null) => (gamer === null) === (type === 'UpdateProfitWithdrawal');
          const right = [...model.treasury.withdrawals].filter(([, { gamer }]) => isRight(gamer));
          const among = which % 7 === 0 ? model.treasury.withdrawals : new Map(right);
          return { type, withdrawalId: oneOf(among, which), update: updated };
        },
    ),
  })),
];
