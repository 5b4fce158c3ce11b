import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { ERASED_TEXT, encryptedText, readEncrypted } from '../../../contracts/encrypted-text.js';
import type { CommandId, DepositId, GamerId, WithdrawalId } from '../../../contracts/ids.js';
import type { CommandMetadata, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import * as views from '../../../projections/src/views/tables.entity.js';
import { decrypt, ENCRYPTION_KEY_BYTES, encrypt } from './encryption.js';
import { Refused } from './failures.js';

/** The fields of commands that may hold a personal text. */
const TEXTS = new Set<string>(['walletAddress', 'adminNotes', 'txid', 'reason', 'reassignmentReason']);

/** Encrypts a command's texts before its hash, and decrypts those read. Deleting an account deletes its key in `auth.text_keys`. */
@Injectable()
export class PersonalTexts {
  constructor(private readonly tables: EntityManager) {}

  /** The command with its texts encrypted; null without any. Refused: no such withdrawal or deposit. */
  encrypted(command: LedgerCommand, { commandId }: CommandMetadata): Promise<LedgerCommand> | null {
    switch (command.type) {
      case 'RequestWithdrawal':
      case 'AdjustBalance':
        return this.encryptFor([command.gamerId], command, commandId);
      case 'UpdateWithdrawal': {
        const { adminNotes, txid } = command.update;
        if (adminNotes === null && txid === null) return null;
        return this.encryptFor([this.ownerOfWithdrawal(command.withdrawalId)], command, commandId);
      }
      case 'RecordPayoutOutcome':
        if (command.txid === null) return null;
        return this.encryptFor([this.ownerOfWithdrawal(command.withdrawalId)], command, commandId);
      case 'RejectDeposit':
        if (command.adminNotes === null) return null;
        return this.encryptFor([this.deposit(command.depositId).then(({ gamerId }) => gamerId)], command, commandId);
      case 'ApproveDeposit':
        if (command.reassignmentReason === undefined) return null;
        // The reason is about two gamers: each one's deletion erases it.
        return this.encryptFor([this.payerOfDeposit(command.depositId), command.gamerId], command, commandId);
      default:
        return null;
    }
  }

  private async encryptFor(
    gamerIds: (GamerId | null | Promise<GamerId | null>)[],
    command: LedgerCommand,
    commandId: CommandId,
  ): Promise<LedgerCommand> {
    let encrypted: unknown = command;
    for (const gamerId of await Promise.all(gamerIds)) {
      if (gamerId === null) continue;
      const key = await this.keyOf(gamerId);
      encrypted = mapTexts(encrypted, (text, _, field) =>
        text === '' || !TEXTS.has(field) ? text : encryptText({ gamerId, commandId, field, text }, key),
      );
    }
    return encrypted as LedgerCommand;
  }

  /** Decrypts in a copy. A text encrypted for another gamer reads as erased: a writer of tables could copy it. */
  async decrypt<T>(value: T): Promise<T> {
    const outer = await this.decryptLayer(value, (owner, rowsGamer) => rowsGamer === null || rowsGamer === owner);
    // The reason of a reassignment is encrypted for both of its gamers, one inside the other.
    return this.decryptLayer(outer, () => true);
  }

  private async decryptLayer<T>(value: T, belongs: (owner: GamerId, rowsGamer: GamerId | null) => boolean): Promise<T> {
    const owners = new Set<GamerId>();
    mapTexts(value, (text) => {
      const gamerId = readEncrypted(text)?.gamerId;
      if (gamerId !== undefined) owners.add(gamerId);
      return text;
    });
    if (owners.size === 0) return value;
    const keys = await this.keysOf([...owners]);
    const decryptOne = (text: string, rowsGamer: GamerId | null) =>
      decryptText(text, (gamerId) => (belongs(gamerId, rowsGamer) ? keys.get(gamerId) : undefined));
    return mapTexts(value, decryptOne) as T;
  }

  /** The gamer's key, made at the first use; null without an account. */
  private async keyOf(gamerId: GamerId): Promise<Buffer | null> {
    const known = (await this.keysOf([gamerId])).get(gamerId);
    if (known !== undefined) return known;
    const [made] = await this.tables.query<{ key: Buffer }[]>(
      `INSERT INTO auth.text_keys (gamer_id, key) SELECT gamer_id, $2 FROM auth.accounts WHERE gamer_id = $1
       ON CONFLICT (gamer_id) DO UPDATE SET gamer_id = excluded.gamer_id RETURNING key`,
      [gamerId, newTextKey()],
    );
    return made?.key ?? null;
  }

  private async keysOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, Buffer>> {
    const rows = await this.tables.query<{ gamerId: GamerId; key: Buffer }[]>(
      'SELECT gamer_id AS "gamerId", key FROM auth.text_keys WHERE gamer_id = ANY ($1::text[])',
      [gamerIds],
    );
    return new Map(rows.map(({ gamerId, key }) => [gamerId, key]));
  }

  // The gamers whom the admin's texts are about; null for none. They never change, so a repeated command is the same.

  /** The gamer who requested a withdrawal; null for one of `house:profit`. */
  private async ownerOfWithdrawal(id: WithdrawalId): Promise<GamerId | null> {
    const withdrawal = await this.tables.findOneBy(views.WithdrawalRow, { id });
    if (withdrawal === null) throw new Refused('withdrawal-not-found');
    return withdrawal.gamerId;
  }

  /** The gamer who was recorded with a deposit, also after it was approved for another: the invoice's. */
  private async payerOfDeposit(depositId: DepositId): Promise<GamerId | null> {
    const { paymentId } = await this.deposit(depositId);
    const payment = await this.tables.findOneBy(views.PaymentRow, { paymentId });
    const order = payment && (await this.tables.findOneBy(views.InvoiceRow, { orderId: payment.orderId }));
    return order?.gamerId ?? null;
  }

  private async deposit(depositId: DepositId): Promise<views.DepositRow> {
    const deposit = await this.tables.findOneBy(views.DepositRow, { depositId });
    if (deposit === null) throw new Refused('deposit-not-found');
    return deposit;
  }
}

/** Copies a JSON value with its texts replaced. `rowsGamer`: the `gamerId` of the nearest object around, or null. */
function mapTexts(
  value: unknown,
  replace: (text: string, rowsGamer: GamerId | null, field: string) => string,
  rowsGamer: GamerId | null = null,
  field = '',
): unknown {
  if (typeof value === 'string') return replace(value, rowsGamer, field);
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, replace, rowsGamer, field));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const gamerId = 'gamerId' in value && typeof value.gamerId === 'string' ? value.gamerId : rowsGamer;
  const copied = Object.entries(value).map(([name, member]) => [name, mapTexts(member, replace, gamerId, name)]);
  return Object.fromEntries(copied);
}

/** The first half encrypts, the second makes nonces. */
export const newTextKey = (): Buffer => randomBytes(2 * ENCRYPTION_KEY_BYTES);

const encryptionKeyOf = (key: Buffer): Buffer => key.subarray(0, ENCRYPTION_KEY_BYTES);
const nonceKeyOf = (key: Buffer): Buffer => key.subarray(ENCRYPTION_KEY_BYTES);

export type PlainText = { gamerId: GamerId; commandId: CommandId; field: string; text: string };

/** The nonce is an HMAC, so that a repeated command has the same hash. A null key erases the text before it is written. */
export function encryptText({ gamerId, commandId, field, text }: PlainText, key: Buffer | null): string {
  if (key === null) return encryptedText(gamerId, Buffer.alloc(0));
  const nonce = createHmac('sha256', nonceKeyOf(key))
    .update(JSON.stringify([commandId, field, text]))
    .digest();
  return encryptedText(gamerId, encrypt(Buffer.from(text), encryptionKeyOf(key), gamerId, nonce));
}

/** Returns the plain text; ERASED_TEXT when the key is missing or another one. A plain text stays as it is. */
export function decryptText(text: string, keyOf: (gamerId: GamerId) => Buffer | undefined): string {
  const found = readEncrypted(text);
  if (found === null) return text;
  const { gamerId, encrypted } = found;
  const key = keyOf(gamerId);
  if (key === undefined) return ERASED_TEXT;
  try {
    return decrypt(encrypted, encryptionKeyOf(key), gamerId).toString('utf8');
  } catch {
    // Encrypted under a key that was lost with the database, or altered.
    return ERASED_TEXT;
  }
}
