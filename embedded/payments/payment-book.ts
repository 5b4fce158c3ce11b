import { randomInt } from 'node:crypto';
import { Journal, type Kept } from './journal.js';
import type { Delivery, Invoice, Payment, Settings } from './records.js';

/** Callbacks that came to an end are kept so many, newest last; invoices and payments all are. */
const DELIVERIES_KEPT = 1_000;

/** Everything the gateway knows, in memory; with a file, also over a restart. Records are changed only by `put…`. */
export class PaymentBook {
  private readonly invoices = new Map<string, Invoice>();
  private readonly payments = new Map<string, Payment>();
  private readonly ofInvoice = new Map<string, string[]>();
  private readonly deliveries = new Map<string, Delivery>();
  private changed: Partial<Settings>;
  private current: Settings;

  private constructor(
    private readonly journal: Journal | undefined,
    kept: Kept,
    settings: Settings,
  ) {
    this.changed = (kept.get('settings')?.get('settings') as Partial<Settings> | undefined) ?? {};
    this.current = { ...settings, ...this.changed };
    for (const invoice of recordsOf<Invoice>(kept, 'invoice')) this.invoices.set(invoice.id, invoice);
    for (const payment of recordsOf<Payment>(kept, 'payment').sort(byAge)) this.hold(payment);
    const deliveries = recordsOf<Delivery>(kept, 'delivery').sort(byAge);
    for (const delivery of deliveries.slice(-DELIVERIES_KEPT)) this.deliveries.set(delivery.id, delivery);
  }

  /** @param path null: nothing is kept. */
  static async open(path: string | null, settings: Settings): Promise<PaymentBook> {
    if (path === null) return new PaymentBook(undefined, new Map(), settings);
    const { journal, kept } = await Journal.open(path);
    return new PaymentBook(journal, kept, settings);
  }

  get settings(): Settings {
    return this.current;
  }

  /** Only what was ever changed is kept, so that the defaults of a newer version reach older files. */
  putSettings(changed: Partial<Settings>): void {
    this.current = { ...this.current, ...changed };
    this.changed = { ...this.changed, ...changed };
    this.journal?.append('settings', 'settings', this.changed);
  }

  putInvoice(invoice: Invoice): void {
    this.invoices.set(invoice.id, invoice);
    this.journal?.append('invoice', invoice.id, invoice);
  }

  putPayment(payment: Payment): void {
    this.hold(payment);
    this.journal?.append('payment', payment.id, payment);
  }

  putDelivery(delivery: Delivery): void {
    this.deliveries.set(delivery.id, delivery);
    this.journal?.append('delivery', delivery.id, delivery);
    for (const [id, { state }] of this.deliveries) {
      if (this.deliveries.size <= DELIVERIES_KEPT) break;
      if (state !== 'due') this.deliveries.delete(id);
    }
  }

  invoice(id: string): Invoice | undefined {
    return this.invoices.get(id);
  }

  payment(id: string): Payment | undefined {
    return this.payments.get(id);
  }

  delivery(id: string): Delivery | undefined {
    return this.deliveries.get(id);
  }

  /** Oldest first. */
  paymentsOfInvoice(invoiceId: string): Payment[] {
    return (this.ofInvoice.get(invoiceId) ?? []).map((id) => this.payments.get(id)!);
  }

  allInvoices(): Invoice[] {
    return [...this.invoices.values()];
  }

  allPayments(): Payment[] {
    return [...this.payments.values()];
  }

  allDeliveries(): Delivery[] {
    return [...this.deliveries.values()];
  }

  /**
   * A number of ten digits that nothing here has. By chance rather than by counting: whoever loses this file but not
   * their own records must not meet an old payment's id again.
   */
  freshId(): string {
    for (;;) {
      const id = String(randomInt(4_000_000_000, 9_999_999_999));
      if (!this.invoices.has(id) && !this.payments.has(id)) return id;
    }
  }

  /** Resolves when all that was put is on the disk. */
  async saved(): Promise<void> {
    await this.journal?.saved();
  }

  async close(): Promise<void> {
    await this.journal?.close();
  }

  private hold(payment: Payment): void {
    const isNew = !this.payments.has(payment.id);
    this.payments.set(payment.id, payment);
    if (!isNew || payment.invoiceId === null) return;
    const ids = this.ofInvoice.get(payment.invoiceId);
    if (ids === undefined) this.ofInvoice.set(payment.invoiceId, [payment.id]);
    else ids.push(payment.id);
  }
}

const recordsOf = <T>(kept: Kept, kind: string): T[] => [...(kept.get(kind)?.values() ?? [])] as T[];

const byAge = (a: { createdAt: number }, b: { createdAt: number }): number => a.createdAt - b.createdAt;
