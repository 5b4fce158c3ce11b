import { Injectable } from '@nestjs/common';
import { readEncrypted } from '../../../../contracts/encrypted-text.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { words } from '../../../../contracts/words.js';
import type { CommandMetadata, LedgerCommand } from '../../../../domain/ledger/ledger-commands.js';
import { decryptText, encryptText, TextKeysStore } from './text-keys.store.js';
import { TextOwnersQueries } from './text-owners.queries.js';

/** The fields of commands that may hold a personal text. */
const TEXTS = new Set<string>(words('walletAddress adminNotes txid reason reassignmentReason'));

/** Encrypts a command's texts before its hash, and decrypts those read. A deletion destroys the gamer's key. */
@Injectable()
export class PersonalTexts {
  constructor(
    private readonly keys: TextKeysStore,
    private readonly owners: TextOwnersQueries,
  ) {}

  /** The command with its texts encrypted; null without any. Refused: no such withdrawal or deposit. */
  encrypted(command: LedgerCommand, { commandId }: CommandMetadata): Promise<LedgerCommand> | null {
    switch (command.type) {
      case 'RequestWithdrawal':
      case 'AdjustBalance':
        return this.encryptFor([command.gamerId], command, commandId);
      case 'UpdateWithdrawal': {
        const { adminNotes, txid } = command.update;
        if (adminNotes === null && txid === null) return null;
        return this.encryptFor([this.owners.ofWithdrawal(command.withdrawalId)], command, commandId);
      }
      case 'RecordPayoutOutcome':
        if (command.txid === null) return null;
        return this.encryptFor([this.owners.ofWithdrawal(command.withdrawalId)], command, commandId);
      case 'RejectDeposit':
        if (command.adminNotes === null) return null;
        return this.encryptFor([this.owners.ofDeposit(command.depositId)], command, commandId);
      case 'ApproveDeposit':
        if (command.reassignmentReason === undefined) return null;
        // The reason is about two gamers: each one's deletion erases it.
        return this.encryptFor([this.owners.ofDepositsInvoice(command.depositId), command.gamerId], command, commandId);
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
      const key = await this.keys.keyOf(gamerId);
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
    const keys = await this.keys.keysOf([...owners]);
    const decryptOne = (text: string, rowsGamer: GamerId | null) =>
      decryptText(text, (gamerId) => (belongs(gamerId, rowsGamer) ? keys.get(gamerId) : undefined));
    return mapTexts(value, decryptOne) as T;
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
