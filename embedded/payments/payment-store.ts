import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../shared/replace-file.js';
import { DEFAULT_SETTINGS, type Delivery, type Invoice, type Payment, type Payout, type Settings } from './records.js';

/** The store keeps this many callbacks, besides those that are due, and all invoices and payments. */
const DELIVERIES_KEPT = 300;

interface Records {
  invoices: Invoice;
  payments: Payment;
  payouts: Payout;
  deliveries: Delivery;
}

type Lists = { [List in keyof Records]: Records[List][] };

/** The store's file. The settings are only the changed ones, so that a newer version's defaults apply to older files. */
type Contents = Lists & { settings: Partial<Settings> };

/** The gateway's records in memory, oldest first, and, given a path, in a file. Records are immutable; `put` replaces them. */
export class PaymentStore {
  private isChanged = false;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly defaults: Settings,
    private readonly path: string | undefined,
    private readonly contents: Contents,
  ) {}

  static async open(path: string | undefined, settings: Partial<Settings> = {}): Promise<PaymentStore> {
    if (path !== undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const isKept = path !== undefined && existsSync(path);
    const kept: Partial<Contents> = isKept ? JSON.parse(await readFile(path, 'utf8')) : {};
    const empty: Contents = { settings: {}, invoices: [], payments: [], payouts: [], deliveries: [] };
    return new PaymentStore({ ...DEFAULT_SETTINGS, ...settings }, path, { ...empty, ...kept });
  }

  get settings(): Settings {
    return { ...this.defaults, ...this.contents.settings };
  }

  putSettings(changed: Partial<Settings>): void {
    Object.assign(this.contents.settings, changed);
    this.isChanged = true;
  }

  put<List extends keyof Records>(list: List, record: Records[List]): void {
    const lists: Lists = this.contents;
    const records = lists[list];
    const index = records.findIndex(({ id }) => id === record.id);
    records.splice(index === -1 ? records.length : index, 1, record);
    this.isChanged = true;
    const { deliveries } = this.contents;
    if (deliveries.length <= DELIVERIES_KEPT) return;
    const oldest = deliveries.findIndex(({ state }) => state !== 'due');
    if (oldest !== -1) deliveries.splice(oldest, 1);
  }

  invoice(id: string | undefined): Invoice | undefined {
    return this.contents.invoices.find((invoice) => invoice.id === id);
  }

  payment(id: string | undefined): Payment | undefined {
    return this.contents.payments.find((payment) => payment.id === id);
  }

  payments(invoiceId?: string): Payment[] {
    return this.contents.payments.filter((payment) => invoiceId === undefined || payment.invoiceId === invoiceId);
  }

  payouts(batchId?: string): Payout[] {
    return this.contents.payouts.filter((payout) => batchId === undefined || payout.batch_withdrawal_id === batchId);
  }

  deliveries(paymentId?: string): Delivery[] {
    return this.contents.deliveries.filter((delivery) => paymentId === undefined || delivery.paymentId === paymentId);
  }

  /** Ten random digits: after this file is lost, merchants must not meet an old payment's id again. */
  newId(): string {
    for (;;) {
      const id = String(randomInt(4_000_000_000, 9_999_999_999));
      if (!this.invoice(id) && !this.payment(id)) return id;
    }
  }

  /** Resolves when every record put so far is on the disk. After a failed write all later ones fail too. */
  flush(): Promise<void> {
    this.writing = this.writing.then(async () => {
      if (this.path === undefined || !this.isChanged) return;
      this.isChanged = false;
      await replaceFile(this.path, JSON.stringify(this.contents));
    });
    return this.writing;
  }
}
