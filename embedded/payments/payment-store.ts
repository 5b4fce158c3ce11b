import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../shared/replace-file.js';
import { DEFAULT_SETTINGS, type Delivery, type Invoice, type Payment, type Settings } from './records.js';

/** The store keeps this many finished callbacks, and all invoices and payments. */
const DELIVERIES_KEPT = 1_000;

/** A line of the store's file: the newest state of one record. */
interface Line {
  kind: string;
  id: string;
  record: unknown;
}

const toText = (line: Line): string => `${JSON.stringify(line)}\n`;

/** The gateway's records in memory and, given a path, in an append-only file. Records are immutable; `put…` replaces them. */
export class PaymentStore {
  private readonly invoicesById = new Map<string, Invoice>();
  private readonly paymentsById = new Map<string, Payment>();
  private readonly deliveriesById = new Map<string, Delivery>();
  private changedSettings: Partial<Settings> = {};
  private unwritten = '';
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly defaults: Settings,
    private readonly file: FileHandle | undefined,
    lines: readonly Line[],
  ) {
    const recordsOf = <T extends { createdAt: number }>(kind: string) =>
      lines.flatMap((line) => (line.kind === kind ? [line.record as T] : [])).sort((a, b) => a.createdAt - b.createdAt);
    for (const invoice of recordsOf<Invoice>('invoice')) this.invoicesById.set(invoice.id, invoice);
    for (const payment of recordsOf<Payment>('payment')) this.paymentsById.set(payment.id, payment);
    const deliveries = recordsOf<Delivery>('delivery').slice(-DELIVERIES_KEPT);
    for (const delivery of deliveries) this.deliveriesById.set(delivery.id, delivery);
    for (const { kind, record } of lines) if (kind === 'settings') this.changedSettings = record as Partial<Settings>;
  }

  /** Reads the file and removes its superseded lines. */
  static async open(path: string | undefined, settings: Partial<Settings> = {}): Promise<PaymentStore> {
    const defaults = { ...DEFAULT_SETTINGS, ...settings };
    if (path === undefined) return new PaymentStore(defaults, undefined, []);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const texts = existsSync(path) ? (await readFile(path, 'utf8')).split('\n') : [];
    texts.pop(); // Empty, or a line that a crash cut off and that was never confirmed.
    const newest = new Map<string, Line>();
    for (const text of texts) {
      const line = JSON.parse(text) as Line;
      newest.set(`${line.kind} ${line.id}`, line);
    }
    const lines = [...newest.values()];
    await replaceFile(path, lines.map(toText).join(''));
    return new PaymentStore(defaults, await open(path, 'a'), lines);
  }

  get settings(): Settings {
    return { ...this.defaults, ...this.changedSettings };
  }

  /** The file holds only the changed settings, so that a newer version's defaults apply to older files. */
  putSettings(changed: Partial<Settings>): void {
    this.changedSettings = { ...this.changedSettings, ...changed };
    this.append('settings', 'settings', this.changedSettings);
  }

  putInvoice(invoice: Invoice): void {
    this.invoicesById.set(invoice.id, invoice);
    this.append('invoice', invoice.id, invoice);
  }

  putPayment(payment: Payment): void {
    this.paymentsById.set(payment.id, payment);
    this.append('payment', payment.id, payment);
  }

  putDelivery(delivery: Delivery): void {
    this.deliveriesById.set(delivery.id, delivery);
    this.append('delivery', delivery.id, delivery);
    for (const [id, { state }] of this.deliveriesById) {
      if (this.deliveriesById.size <= DELIVERIES_KEPT) break;
      if (state !== 'due') this.deliveriesById.delete(id);
    }
  }

  invoice(id: string | null): Invoice | undefined {
    return this.invoicesById.get(id ?? '');
  }

  payment(id: string | null): Payment | undefined {
    return this.paymentsById.get(id ?? '');
  }

  /** Oldest first, like the other lists. */
  invoices(): Invoice[] {
    return [...this.invoicesById.values()];
  }

  payments(invoiceId?: string | null): Payment[] {
    return [...this.paymentsById.values()].filter((payment) => (invoiceId ?? payment.invoiceId) === payment.invoiceId);
  }

  deliveries(paymentId?: string | null): Delivery[] {
    return [...this.deliveriesById.values()].filter(
      (delivery) => (paymentId ?? delivery.paymentId) === delivery.paymentId,
    );
  }

  /** Ten random digits: after this file is lost, merchants must not meet an old payment's id again. */
  newId(): string {
    for (;;) {
      const id = String(randomInt(4_000_000_000, 9_999_999_999));
      if (!this.invoicesById.has(id) && !this.paymentsById.has(id)) return id;
    }
  }

  /** Resolves when every record put so far is on the disk. After a failed write all later writes fail too, because a line is missing. */
  flush(): Promise<void> {
    this.writing = this.writing.then(async () => {
      const lines = this.unwritten;
      this.unwritten = '';
      if (lines === '') return;
      await this.file?.appendFile(lines);
      await this.file?.datasync();
    });
    return this.writing;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.file?.close();
  }

  private append(kind: string, id: string, record: unknown): void {
    if (this.file !== undefined) this.unwritten += toText({ kind, id, record });
  }
}
