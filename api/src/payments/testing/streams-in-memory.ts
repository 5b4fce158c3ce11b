import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { Recorded } from '../../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../../contracts/streams.js';
import { type AppendResult, type NewEvent, WrongExpectedRevision } from '../../../../event-log/event-log.types.js';
import type { LedgerPayment, LedgerPayments } from '../ledger-payments.js';

export interface ReadOptions {
  fromRevision?: number;
  maxCount?: number;
}

/** A whole log in memory, with EventStoreDB's rules: all or nothing, at the exact revision, a repeat answered again. */
export class StreamsInMemory {
  readonly streams = new Map<string, Recorded[]>();
  private position = 0;

  append(stream: string, events: readonly NewEvent[], expected: number): AppendResult {
    const kept = this.streams.get(stream) ?? [];
    const isRepeat = events.every(({ id }, index) => kept[expected + 1 + index]?.id === id);
    if (!isRepeat) {
      if (expected !== kept.length - 1) throw new WrongExpectedRevision(stream, expected, kept.length - 1);
      for (const { id, event, metadata } of events) {
        this.position += 1;
        const sent = JSON.parse(JSON.stringify({ event, metadata })) as Pick<Recorded, 'event' | 'metadata'>;
        kept.push({ id, stream, revision: kept.length, position: String(this.position), ...sent });
      }
      this.streams.set(stream, kept);
    }
    const last = kept[expected + events.length] as Recorded;
    return { revision: last.revision, position: last.position };
  }

  read(stream: string, { fromRevision = 0, maxCount = Number.POSITIVE_INFINITY }: ReadOptions = {}): Recorded[] {
    return (this.streams.get(stream) ?? []).slice(fromRevision, fromRevision + maxCount);
  }

  get ledger(): readonly LedgerEvent[] {
    return this.read(LEDGER_STREAM).map(({ event }) => event as LedgerEvent);
  }
}

/** As the tables would have it. */
export class LedgerPaymentsInMemory implements LedgerPayments {
  private readonly payments = new Map<string, LedgerPayment>();
  private read = 0;

  constructor(private readonly log: StreamsInMemory) {}

  async find(paymentId: string): Promise<LedgerPayment | null> {
    for (const { event } of this.log.read(LEDGER_STREAM, { fromRevision: this.read })) {
      this.read += 1;
      this.keep(event as LedgerEvent);
    }
    return this.payments.get(paymentId) ?? null;
  }

  private keep(event: LedgerEvent): void {
    const none = { depositId: null, purchaseId: null, reason: null, cryptoType: null };
    switch (event.type) {
      case 'DepositRecorded':
        this.put({ ...none, ...event.data, outcome: 'pending' });
        return;
      case 'DepositApproved': {
        const reason = this.payments.get(event.data.paymentId)?.reason ?? null;
        this.put({ ...none, ...event.data, reason, outcome: 'approved' });
        return;
      }
      case 'InvoiceCredited':
        this.put({ ...none, ...event.data, outcome: 'balance' });
        return;
      case 'TokenPurchased': {
        const { paymentId, buyerId, purchaseId, costCents } = event.data;
        if (paymentId === undefined) return;
        this.put({ ...none, paymentId, gamerId: buyerId, purchaseId, amountCents: costCents, outcome: 'tokens' });
        return;
      }
    }
  }

  private put(payment: LedgerPayment): void {
    this.payments.set(payment.paymentId, payment);
  }
}
