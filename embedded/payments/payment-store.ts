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

/** The store's file. The settings are only the changed ones, so that a newer version's defaults apply to older files. */
type Contents = { [List in keyof Records]: Records[List][] } & { settings: Partial<Settings> };

const EMPTY: Contents = { settings: {}, invoices: [], payments: [], payouts: [], deliveries: [] };

const byId = <T extends { id: string }>(records: T[]) => new Map(records.map((record) => [record.id, record]));

/** The gateway's records in memory and, given a path, in a file. Records are immutable; `put` replaces them. */
export class PaymentStore {
  private readonly records: { [List in keyof Records]: Map<string, Records[List]> };
  private changedSettings: Partial<Settings>;
  private isChanged = false;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly defaults: Settings,
    private readonly path: string | undefined,
    { settings, invoices, payments, payouts, deliveries }: Contents,
  ) {
    this.changedSettings = settings;
    this.records = {
      invoices: byId(invoices),
      payments: byId(payments),
      payouts: byId(payouts),
      deliveries: byId(deliveries),
    };
  }

  static async open(path: string | undefined, settings: Partial<Settings> = {}): Promise<PaymentStore> {
    if (path !== undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const isKept = path !== undefined && existsSync(path);
    const kept: Partial<Contents> = isKept ? JSON.parse(await readFile(path, 'utf8')) : {};
    return new PaymentStore({ ...DEFAULT_SETTINGS, ...settings }, path, { ...EMPTY, ...kept });
  }

  get settings(): Settings {
    return { ...this.defaults, ...this.changedSettings };
  }

  putSettings(changed: Partial<Settings>): void {
    this.changedSettings = { ...this.changedSettings, ...changed };
    this.isChanged = true;
  }

  put<List extends keyof Records>(list: List, record: Records[List]): void {
    this.records[list].set(record.id, record);
    this.isChanged = true;
    const { deliveries } = this.records;
    for (const [id, { state }] of deliveries) {
      if (deliveries.size <= DELIVERIES_KEPT) break;
      if (state !== 'due') deliveries.delete(id);
    }
  }

  invoice(id: string | undefined): Invoice | undefined {
    return this.records.invoices.get(id ?? '');
  }

  payment(id: string | undefined): Payment | undefined {
    return this.records.payments.get(id ?? '');
  }

  /** Oldest first. */
  all<List extends keyof Records>(list: List): Records[List][] {
    return [...this.records[list].values()];
  }

  payments(invoiceId?: string): Payment[] {
    return this.all('payments').filter((payment) => invoiceId === undefined || payment.invoiceId === invoiceId);
  }

  payouts(batchId?: string): Payout[] {
    return this.all('payouts').filter((payout) => batchId === undefined || payout.batch_withdrawal_id === batchId);
  }

  deliveries(paymentId?: string): Delivery[] {
    return this.all('deliveries').filter((delivery) => paymentId === undefined || delivery.paymentId === paymentId);
  }

  /** Ten random digits: after this file is lost, merchants must not meet an old payment's id again. */
  newId(): string {
    const { invoices, payments } = this.records;
    for (;;) {
      const id = String(randomInt(4_000_000_000, 9_999_999_999));
      if (!invoices.has(id) && !payments.has(id)) return id;
    }
  }

  /** Resolves when every record put so far is on the disk. After a failed write all later ones fail too. */
  flush(): Promise<void> {
    this.writing = this.writing.then(async () => {
      if (this.path === undefined || !this.isChanged) return;
      this.isChanged = false;
      const contents: Contents = {
        settings: this.changedSettings,
        invoices: this.all('invoices'),
        payments: this.all('payments'),
        payouts: this.all('payouts'),
        deliveries: this.all('deliveries'),
      };
      await replaceFile(this.path, JSON.stringify(contents));
    });
    return this.writing;
  }
}
