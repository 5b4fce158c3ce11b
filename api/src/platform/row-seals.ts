import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Registry } from 'prom-client';
import { Config } from './config.js';
import type { SealKeys } from './seal-keys.js';
import { rowKeys, SEALED_TABLES, type SealedRow, type SealedTable, sealTextOf } from './sealed-tables.js';

interface RefusedRow {
  table: SealedTable;
  key: string;
  /** The gamer whom the row names. */
  gamerId: string;
}

const MAX_REPORTED = 1_000;
const REPORTED_AGAIN_AFTER_MS = 60 * 60 * 1000;

/** Seals the rows of accounts under a key that Postgres does not hold: a writer to Postgres cannot act as somebody else. */
@Injectable()
export class RowSeals {
  /** False only until the log records that all rows were sealed; until then every row counts as genuine. */
  isStrict = true;
  private readonly logger = new Logger('row-seals');
  private readonly keys: SealKeys;
  private readonly refused: Counter<'table'>;
  private readonly listeners: ((row: RefusedRow) => void)[] = [];
  private readonly reported = new LRUCache<string, true>({ max: MAX_REPORTED, ttl: REPORTED_AGAIN_AFTER_MS });

  constructor({ ledgerSigningSecrets }: Config, registry: Registry) {
    this.keys = rowKeys(ledgerSigningSecrets);
    this.refused = new Counter({
      name: 'rows_not_genuine_total',
      help: 'Rows read whose seal does not fit: somebody changed them past the application. They count as absent.',
      labelNames: ['table'],
      registers: [registry],
    });
    for (const table of [...Object.keys(SEALED_TABLES), 'password_resets', 'email_changes'])
      this.refused.inc({ table }, 0);
  }

  of(table: SealedTable, content: object): Buffer {
    return this.keys.of(sealTextOf(table, content));
  }

  /** Whether the row may be used. One that may not is logged and counted. */
  isGenuine(table: SealedTable, key: string, row: SealedRow<{ gamerId: string }>): boolean {
    if (!this.isStrict || this.fits(table, row)) return true;
    this.refused.inc({ table });
    this.logger.error({ rowNotGenuine: table, key, gamerId: row.content.gamerId, isSealed: row.seal !== null });
    if (!this.reported.has(`${table} ${key}`)) {
      this.reported.set(`${table} ${key}`, true);
      for (const report of this.listeners) report({ table, key, gamerId: row.content.gamerId });
    }
    return false;
  }

  fits(table: SealedTable, { content, seal }: SealedRow<object>): boolean {
    return seal !== null && this.keys.isGenuine(sealTextOf(table, content), seal);
  }

  /** Whether the row is sealed under the secret in force. */
  isCurrent(table: SealedTable, { content, seal }: SealedRow<object>): boolean {
    return seal !== null && this.keys.isCurrent(sealTextOf(table, content), seal);
  }

  /** Calls the listener with a row that is not genuine, at most once an hour for each. */
  onRefused(listener: (row: RefusedRow) => void): void {
    this.listeners.push(listener);
  }
}
