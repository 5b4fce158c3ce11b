import type { PaymentEvents } from '../../../../contracts/events/payment-events.js';
import { TERMS_OF_NEW_ROUNDS } from '../../../../contracts/limits.js';
import { type Game, initialGame } from '../../../../domain/game.js';
import { unknownPayment } from '../../../../domain/payments.js';
import { enrolledGamers } from '../../../../domain/testing/events.js';
import { given } from '../../../../domain/testing/scenario.js';
import type { RateLimits } from '../../http/rate-limits.store.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config.js';
import type { PaymentGateway } from './gateway/payment-gateway.js';
import { InvoiceService } from './invoice.service.js';
import type { PaymentLog } from './payment-log.js';

const NOW = 1_800_000_000_000;
const BOB = { actor: { id: 'bob', role: 'gamer' }, commandId: 'c1' } as const;

const liveRound = (roundId: number): Game => ({
  ...initialGame,
  phase: 'live',
  roundId,
  lastRoundId: roundId,
  endsAtEpochMs: NOW + 60_000,
  terms: { ...TERMS_OF_NEW_ROUNDS, decidingMs: 300 },
});

/** A service whose gateway answers when `release` is called, and the invoices that it recorded. */
function serviceIn(game: Game) {
  const recorded: PaymentEvents['PaymentOpened'][] = [];
  const ledger = { committed: { game, position: '0' }, decided: given(enrolledGamers()).state };
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const gateway = {
    async minimumCents() {
      await released;
      return 1;
    },
    createInvoice: async () => ({ invoiceId: 'i1', checkoutUrl: 'https://gateway.example/i1' }),
    createPayment: async () => ({ paymentId: 'p1', payAddress: 'address', payAmount: '0.2' }),
  } as unknown as PaymentGateway;
  const payments = {
    read: async () => ({ state: unknownPayment, position: '0' }),
    async decideAndAppend(_: string, decide: (state: typeof unknownPayment) => { events: { data: unknown }[] }) {
      const [opened] = decide(unknownPayment).events;
      recorded.push(opened?.data as PaymentEvents['PaymentOpened']);
      return { state: { ...unknownPayment, invoice: recorded[0] }, position: '1' };
    },
  } as unknown as PaymentLog;
  const service = new InvoiceService(
    gateway,
    payments,
    ledger as unknown as Ledger,
    { linkOrigin: 'https://game.example', payments: null } as unknown as Config,
    { now: () => NOW } as unknown as Clock,
    { count: async () => {} } as unknown as RateLimits,
  );
  const order = (quantity: number) => service.create({ purpose: 'tokens', cryptoType: 'LTC', quantity }, BOB);
  return { order, release, ledger, recorded };
}

it('a token invoice is of the round in which it was ordered, also when the gateway answers in the next one', async () => {
  const { order, release, ledger, recorded } = serviceIn(liveRound(5));
  const created = order(2);
  await new Promise(setImmediate);
  ledger.committed.game = liveRound(6);
  release();
  expect((await created).body).toMatchObject({ roundId: 5 });
  expect(recorded).toMatchObject([{ roundId: 5, quantity: 2, amountCents: 60 }]);
});
