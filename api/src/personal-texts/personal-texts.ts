import { Injectable } from '@nestjs/common';
import type { GamerId } from '../../../contracts/ids.js';
import { readSealed } from '../../../contracts/sealed-text.js';
import type { CommandMetadata, CommandOf, LedgerCommand } from '../../../domain/ledger-commands.js';
import { TextKeysStore } from './text-keys.store.js';
import { TextOwnersQueries } from './text-owners.queries.js';
import { open, seal } from './text-sealing.js';

type SealFor = (gamerId: GamerId | null, field: string, text: string) => Promise<string>;

/**
 * Personal texts in the ledger: seals those of a command before it is decided and hashed, and opens those that are read. A
 * gamer's deletion destroys their key, and with it what the ledger says of them in words.
 */
@Injectable()
export class PersonalTexts {
  constructor(
    private readonly keys: TextKeysStore,
    private readonly owners: TextOwnersQueries,
  ) {}

  /**
   * Returns the command with its texts sealed; null when it has none. Rejects with Refused when it is about a withdrawal or a
   * deposit that does not exist.
   */
  sealed(command: LedgerCommand, { commandId }: CommandMetadata): Promise<LedgerCommand> | null {
    const sealFor: SealFor = async (gamerId, field, text) =>
      text === '' || gamerId === null
        ? text
        : seal({ gamerId, commandId, field, text }, await this.keys.keyOf(gamerId));

    switch (command.type) {
      case 'RequestWithdrawal':
        return this.sealPayout(command, sealFor);
      case 'UpdateWithdrawal':
        return command.update.adminNotes === null && command.update.txid === null
          ? null
          : this.sealUpdate(command, sealFor);
      case 'AdjustBalance':
        return sealFor(command.gamerId, 'reason', command.reason).then((reason) => ({ ...command, reason }));
      case 'RejectDeposit':
        return command.adminNotes === null ? null : this.sealRejection(command, command.adminNotes, sealFor);
      case 'ApproveDeposit':
        return command.reassignmentReason === undefined
          ? null
          : this.sealReassignment(command, command.reassignmentReason, sealFor);
      default:
        return null;
    }
  }

  private async sealPayout(command: CommandOf<'RequestWithdrawal'>, sealFor: SealFor): Promise<LedgerCommand> {
    const { gamerId, payout } = command;
    const walletAddress = await sealFor(gamerId, 'walletAddress', payout.walletAddress);
    return { ...command, payout: { ...payout, walletAddress } };
  }

  private async sealUpdate(command: CommandOf<'UpdateWithdrawal'>, sealFor: SealFor): Promise<LedgerCommand> {
    const { withdrawalId, update } = command;
    const gamerId = await this.owners.ofWithdrawal(withdrawalId);
    const [adminNotes, txid] = await Promise.all(
      (['adminNotes', 'txid'] as const).map((field) => update[field] && sealFor(gamerId, field, update[field])),
    );
    return { ...command, update: { ...update, adminNotes: adminNotes ?? null, txid: txid ?? null } };
  }

  private async sealRejection(
    command: CommandOf<'RejectDeposit'>,
    notes: string,
    sealFor: SealFor,
  ): Promise<LedgerCommand> {
    const gamerId = await this.owners.ofDeposit(command.depositId);
    return { ...command, adminNotes: await sealFor(gamerId, 'adminNotes', notes) };
  }

  /** The reason is about two gamers: each one's deletion erases it. */
  private async sealReassignment(
    command: CommandOf<'ApproveDeposit'>,
    reason: string,
    sealFor: SealFor,
  ): Promise<LedgerCommand> {
    const from = await this.owners.ofDepositsInvoice(command.depositId);
    const inner = await sealFor(from, 'reassignmentReason', reason);
    return { ...command, reassignmentReason: await sealFor(command.gamerId, 'reassignmentReason', inner) };
  }

  /**
   * Returns a copy of rows or events, at any depth, with their sealed texts opened. In a row or event with a `gamerId`, a text that
   * is sealed for another gamer reads as erased: somebody put it there.
   */
  async open<T>(value: T): Promise<T> {
    const opened = await this.openLayer(value, (sealedFor, rowsGamer) => [sealedFor, null].includes(rowsGamer));
    // Once more, and not for ever: a text that two gamers own is sealed twice, the inner time for the other gamer.
    return this.openLayer(opened, () => true);
  }

  private async openLayer<T>(
    value: T,
    belongs: (sealedFor: GamerId, rowsGamer: GamerId | null) => boolean,
  ): Promise<T> {
    const owners = new Set<GamerId>();
    mapTexts(value, (text) => {
      const gamerId = readSealed(text)?.gamerId;
      if (gamerId !== undefined) owners.add(gamerId);
      return text;
    });
    if (owners.size === 0) return value;
    const keys = await this.keys.keysOf([...owners]);
    const openText = (text: string, rowsGamer: GamerId | null) =>
      open(text, (gamerId) => (belongs(gamerId, rowsGamer) ? keys.get(gamerId) : undefined));
    return mapTexts(value, openText) as T;
  }
}

/**
 * Copies a value of JSON's kinds with each of its texts replaced. Values of other kinds, such as dates, stay the same.
 *
 * @param rowsGamer the `gamerId` of the nearest object around the value; null for none
 */
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
