import { Injectable } from '@nestjs/common';
import { readEncrypted } from '../../../../contracts/encrypted-text.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import type { CommandMetadata, CommandOf, LedgerCommand } from '../../../../domain/ledger/ledger-commands.js';
import { decryptText, encryptText, TextKeysStore } from './text-keys.store.js';
import { TextOwnersQueries } from './text-owners.queries.js';

type WithTexts = CommandOf<
  'RequestWithdrawal' | 'UpdateWithdrawal' | 'AdjustBalance' | 'RejectDeposit' | 'ApproveDeposit'
>;

function hasTexts(command: LedgerCommand): command is WithTexts {
  switch (command.type) {
    case 'RequestWithdrawal':
    case 'AdjustBalance':
      return true;
    case 'UpdateWithdrawal':
      return command.update.adminNotes !== null || command.update.txid !== null;
    case 'RejectDeposit':
      return command.adminNotes !== null;
    case 'ApproveDeposit':
      return command.reassignmentReason !== undefined;
    default:
      return false;
  }
}

/** Encrypts a command's texts before its hash, and decrypts those read. A deletion destroys the gamer's key. */
@Injectable()
export class PersonalTexts {
  constructor(
    private readonly keys: TextKeysStore,
    private readonly owners: TextOwnersQueries,
  ) {}

  /** The command with its texts encrypted; null without any. Refused: no such withdrawal or deposit. */
  encrypted(command: LedgerCommand, { commandId }: CommandMetadata): Promise<LedgerCommand> | null {
    return hasTexts(command) ? this.encrypt(command, commandId) : null;
  }

  private async encrypt(command: WithTexts, commandId: CommandId): Promise<LedgerCommand> {
    const encryptFor = async (gamerId: GamerId | null, field: string, text: string) =>
      text === '' || gamerId === null
        ? text
        : encryptText({ gamerId, commandId, field, text }, await this.keys.keyOf(gamerId));
    switch (command.type) {
      case 'RequestWithdrawal': {
        const { gamerId, payout } = command;
        const walletAddress = await encryptFor(gamerId, 'walletAddress', payout.walletAddress);
        return { ...command, payout: { ...payout, walletAddress } };
      }
      case 'UpdateWithdrawal': {
        const { adminNotes, txid } = command.update;
        const gamerId = await this.owners.ofWithdrawal(command.withdrawalId);
        const encryptedNotes = adminNotes && (await encryptFor(gamerId, 'adminNotes', adminNotes));
        const encryptedTxid = txid && (await encryptFor(gamerId, 'txid', txid));
        return { ...command, update: { ...command.update, adminNotes: encryptedNotes, txid: encryptedTxid } };
      }
      case 'AdjustBalance':
        return { ...command, reason: await encryptFor(command.gamerId, 'reason', command.reason) };
      case 'RejectDeposit': {
        const gamerId = await this.owners.ofDeposit(command.depositId);
        return { ...command, adminNotes: await encryptFor(gamerId, 'adminNotes', command.adminNotes ?? '') };
      }
      case 'ApproveDeposit': {
        // The reason is about two gamers: each one's deletion erases it.
        const from = await this.owners.ofDepositsInvoice(command.depositId);
        const inner = await encryptFor(from, 'reassignmentReason', command.reassignmentReason ?? '');
        return { ...command, reassignmentReason: await encryptFor(command.gamerId, 'reassignmentReason', inner) };
      }
    }
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
  replace: (text: string, rowsGamer: GamerId | null) => string,
  rowsGamer: GamerId | null = null,
): unknown {
  if (typeof value === 'string') return replace(value, rowsGamer);
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, replace, rowsGamer));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const gamerId = 'gamerId' in value && typeof value.gamerId === 'string' ? value.gamerId : rowsGamer;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, replace, gamerId)]));
}
