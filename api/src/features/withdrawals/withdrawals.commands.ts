import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CryptoType } from '../../../../contracts/crypto.js';
import type { GamerEvent } from '../../../../contracts/events/gamer-events.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { CryptoWallets } from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { paidScript } from '../../../../contracts/paid-script.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { isWalletAddress } from '../../../../contracts/wallet-address.js';
import type { Payout, WithdrawalUpdate } from '../../../../domain/ledger/ledger-commands.js';
import { GamerLimits } from '../../http/limits.store.js';
import { Ledger } from '../../ledger/ledger.js';
import { type LedgerCommandOf, ledgerCommand } from '../../ledger/ledger-command.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from '../gamers/account-mails.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

/** Refuses an address whose checksum is wrong: coins sent to a mistyped address are lost. */
export function mustBeWalletAddress(cryptoType: CryptoType, walletAddress: string): void {
  if (!isWalletAddress(cryptoType, walletAddress)) {
    throw new Refused({ code: 'invalid-wallet-address', parameters: { cryptoType } });
  }
}

export class RequestWithdrawal extends BusCommand<{ gamerId: GamerId; payout: Payout }, MessageResponse> {}

@CommandHandler(RequestWithdrawal)
export class RequestWithdrawalHandler implements ICommandHandler<RequestWithdrawal> {
  constructor(
    private readonly mails: AccountMails,
    private readonly withdrawals: WithdrawalsQueries,
    private readonly ledger: Ledger,
  ) {}

  async execute({ fields, metadata }: RequestWithdrawal) {
    checkAddress(fields);
    const isNewAddress = await this.withdrawals.isNewAddress(fields.gamerId, fields.payout);
    const { events, position } = await this.ledger.execute({ type: 'RequestWithdrawal', ...fields }, metadata);
    const event = events[0]?.event;
    if (event?.type !== 'WithdrawalRequested') throw new Error('RequestWithdrawal was accepted without its event');
    this.mails.withdrawalRequested(event.data, fields.payout.walletAddress, isNewAddress);
    return new WithPosition(position, requested(fields));
  }
}

export const RequestProfitWithdrawal = ledgerCommand('RequestProfitWithdrawal', requested, checkAddress);
export const CancelWithdrawal = ledgerCommand(
  'CancelWithdrawal',
  (): MessageResponse => ({ message: 'The withdrawal is cancelled, and the money is back in your winnings' }),
);
export const UpdateProfitWithdrawal = ledgerCommand('UpdateProfitWithdrawal', updated);

export class UpdateWithdrawal extends BusCommand<Omit<LedgerCommandOf<'UpdateWithdrawal'>, 'type'>, MessageResponse> {}

@CommandHandler(UpdateWithdrawal)
export class UpdateWithdrawalHandler implements ICommandHandler<UpdateWithdrawal> {
  constructor(
    private readonly mails: AccountMails,
    private readonly ledger: Ledger,
  ) {}

  async execute({ fields, metadata }: UpdateWithdrawal) {
    const { events, position } = await this.ledger.execute({ type: 'UpdateWithdrawal', ...fields }, metadata);
    const event = events[0]?.event;
    if (event?.type === 'WithdrawalCompleted' || event?.type === 'WithdrawalReturned')
      this.mails.withdrawalSettled(event);
    return new WithPosition(position, updated(fields));
  }
}

function checkAddress({ payout }: { payout: Payout }): void {
  mustBeWalletAddress(payout.cryptoType, payout.walletAddress);
}

function requested({ payout: { amountCents, cryptoType } }: { payout: Payout }): MessageResponse {
  const request = `Withdrawal of ${formatCents(amountCents)} in ${cryptoType} requested.`;
  return { message: `${request} You can cancel it while it is pending.` };
}

function updated({ update }: { update: WithdrawalUpdate }): MessageResponse {
  return { message: `The withdrawal is ${update.status}` };
}

export class SaveWallet extends BusCommand<{ cryptoType: CryptoType; walletAddress: string }, MessageResponse> {}

@CommandHandler(SaveWallet)
export class SaveWalletHandler implements ICommandHandler<SaveWallet> {
  constructor(
    private readonly streams: StreamCommands,
    private readonly limits: GamerLimits,
    private readonly mails: AccountMails,
  ) {}

  async execute({ fields: { cryptoType, walletAddress }, metadata }: SaveWallet) {
    mustBeWalletAddress(cryptoType, walletAddress);
    const gamerId = metadata.actor.id;
    await this.limits.count('wallet', gamerId);
    const saved: GamerEvent = { type: 'WalletSaved', data: { gamerId, cryptoType, walletAddress } };
    const { events, position } = await this.streams.execute<CryptoWallets | null, GamerEvent>({
      stream: gamerStream(gamerId),
      // Null before the registration: the stream of a deleted gamer must not start again.
      initial: null,
      evolve: (wallets, { event }) => {
        if (event.type === 'GamerRegistered') return {};
        return event.type === 'WalletSaved'
          ? { ...wallets, [event.data.cryptoType]: event.data.walletAddress }
          : wallets;
      },
      decide: (wallets) => {
        if (wallets === null) return { refusal: { code: 'gamer-not-found' } };
        const before = paidScript(cryptoType, wallets[cryptoType] ?? '');
        return { events: before === paidScript(cryptoType, walletAddress) ? [] : [saved] };
      },
      metadata,
      content: { type: 'SaveWallet', cryptoType, walletAddress },
    });
    if (events.length > 0) this.mails.addressSaved(gamerId, cryptoType, walletAddress);
    return new WithPosition(position, { message: 'The wallet address is saved' });
  }
}
