import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../shared/replace-file.js';
import { DEFAULT_SETTINGS, type Delivery, type Invoice, type Payment, type Payout, type Settings } from './records.js';

/** The store keeps this many callbacks, besides those that are due, and all invoices and payments. */
const DELIVERIES_KEPT = 300;

/** The store's file. The settings are only the changed ones, so that a newer version's defaults apply to older files. */
interface Contents {
  settings: Partial<Settings>;
  invoices: Invoice[];
  payments: Payment[];
  /** Absent in the file of an older version. */
  payouts?: Payout[];
  deliveries: Delivery[];
}

const byId = <T extends { id: string }>(records: T[]) => new Map(records.map((record) => [record.id, record]));

/** The gateway's records in memory and, given a path, in a file. Records are immutable; `put…` replaces them. */
export class PaymentStore {
  private readonly invoicesById: Map<string, Invoice>;
  private readonly paymentsById: Map<string, Payment>;
  private readonly payoutsById: Map<string, Payout>;
  private readonly deliveriesById: Map<string, Delivery>;
  private changedSettings: Partial<Settings>;
  private isChanged = false;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly defaults: Settings,
    private readonly path: string | undefined,
    { settings, invoices, payments, payouts = [], deliveries }: Contents,
  ) {
    this.changedSettings = settings;
    this.invoicesById = byId(invoices);
    this.paymentsById = byId(payments);
    this.payoutsById = byId(payouts);
    this.deliveriesById = byId(deliveries);
  }

  static async open(path: string | undefined, settings: Partial<Settings> = {}): Promise<PaymentStore> {
    if (path !== undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const contents: Contents =
      path !== undefined && existsSync(path)
        ? JSON.parse(await readFile(path, 'utf8'))
        : { settings: {}, invoices: [], payments: [], deliveries: [] };
    return new PaymentStore({ ...DEFAULT_SETTINGS, ...settings }, path, contents);
  }

  get settings(): Settings {
    return { ...this.defaults, ...this.changedSettings };
  }

  putSettings(changed: Partial<Settings>): void {
    this.changedSettings = { ...this.changedSettings, ...changed };
    this.isChanged = true;
  }

  putInvoice(invoice: Invoice): void {
    this.invoicesById.set(invoice.id, invoice);
    this.isChanged = true;
  }

  putPayment(payment: Payment): void {
    this.paymentsById.set(payment.id, payment);
    this.isChanged = true;
  }

  putPayout(payout: Payout): void {
    this.payoutsById.set(payout.id, payout);
    this.isChanged = true;
  }

  putDelivery(delivery: Delivery): void {
    this.deliveriesById.set(delivery.id, delivery);
    this.isChanged = true;
    for (const [id, { state }] of this.deliveriesById) {
      if (this.deliveriesById.size <= DELIVERIES_KEPT) break;
      if (state !== 'due') this.deliveriesById.delete(id);
    }
  }

  invoice(id: string | undefined): Invoice | undefined {
    return this.invoicesById.get(id ?? '');
  }

  payment(id: string | undefined): Payment | undefined {
    return this.paymentsById.get(id ?? '');
  }

  /** Oldest first, like the other lists. */
  invoices(): Invoice[] {
    return [...this.invoicesById.values()];
  }

  payments(invoiceId?: string): Payment[] {
    const payments = [...this.paymentsById.values()];
    return payments.filter((payment) => invoiceId === undefined || payment.invoiceId === invoiceId);
  }

  payouts(): Payout[] {
    return [...this.payoutsById.values()];
  }

  deliveries(paymentId?: string): Delivery[] {
    const deliveries = [...this.deliveriesById.values()];
    return deliveries.filter((delivery) => paymentId === undefined || delivery.paymentId === paymentId);
  }

  /** Ten random digits: after this file is lost, merchants must not meet an old payment's id again. */
  newId(): string {
    for (;;) {
      const id = String(randomInt(4_000_000_000, 9_999_999_999));
      if (!this.invoicesById.has(id) && !this.paymentsById.has(id)) return id;
    }
  }

  /** Resolves when every record put so far is on the disk. After a failed write all later ones fail too. */
  flush(): Promise<void> {
    this.writing = this.writing.then(async () => {
      if (this.path === undefined || !this.isChanged) return;
      this.isChanged = false;
      const lists = { invoices: this.invoices(), payments: this.payments(), deliveries: this.deliveries() };
      const contents: Contents = { settings: this.changedSettings, ...lists, payouts: this.payouts() };
      await replaceFile(this.path, JSON.stringify(contents));
    });
    return this.writing;
  }
}
