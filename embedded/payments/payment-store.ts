import { randomInt } from 'node:crypto';
import { JsonFile } from '../shared/json-file.js';
import { DEFAULT_SETTINGS, type Delivery, type Invoice, type Payment, type Payout, type Settings } from './records.js';

interface Records {
  invoices: Invoice;
  payments: Payment;
  payouts: Payout;
  deliveries: Delivery;
}

type Lists = { [List in keyof Records]: Records[List][] };

/** The gateway's records, oldest first. Records are immutable; `put` replaces them. */
export class PaymentStore {
  private constructor(
    readonly settings: Settings,
    private readonly file: JsonFile<Lists>,
  ) {}

  /** @param path of the file; without it the records stay in memory */
  static async open(path: string | undefined, settings: Partial<Settings> = {}): Promise<PaymentStore> {
    const empty: Lists = { invoices: [], payments: [], payouts: [], deliveries: [] };
    return new PaymentStore({ ...DEFAULT_SETTINGS, ...settings }, await JsonFile.open(path, empty));
  }

  /** Resolves when every record put so far is on the disk. */
  flush(): Promise<void> {
    return this.file.flush();
  }

  put<List extends keyof Records>(list: List, record: Records[List]): void {
    const records: Records[List][] = this.file.records[list];
    const index = records.findIndex(({ id }) => id === record.id);
    records.splice(index === -1 ? records.length : index, 1, record);
    this.file.isChanged = true;
  }

  invoice(id: string | undefined): Invoice | undefined {
    return this.file.records.invoices.find((invoice) => invoice.id === id);
  }

  payment(id: string | undefined): Payment | undefined {
    return this.file.records.payments.find((payment) => payment.id === id);
  }

  payments(invoiceId?: string): Payment[] {
    return this.file.records.payments.filter((payment) => invoiceId === undefined || payment.invoiceId === invoiceId);
  }

  payouts(batchId?: string): Payout[] {
    return this.file.records.payouts.filter(
      (payout) => batchId === undefined || payout.batch_withdrawal_id === batchId,
    );
  }

  deliveries(): readonly Delivery[] {
    return this.file.records.deliveries;
  }

  /** Ten random digits: after this file is lost, merchants must not meet an old payment's id again. */
  newId(): string {
    return String(randomInt(4_000_000_000, 9_999_999_999));
  }
}
