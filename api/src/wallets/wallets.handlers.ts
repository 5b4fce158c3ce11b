import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CryptoType } from '../../../contracts/crypto.js';
import type { GamerEvent, WalletSaved } from '../../../contracts/events/gamer-events.js';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { CryptoWallets } from '../../../contracts/http/withdrawals.js';
import { gamerStream } from '../../../contracts/streams.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { StreamCommands } from '../streams/stream-commands.js';
import { mustBeAddress } from '../withdrawals/withdrawals.handlers.js';

export class SaveWallet extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly cryptoType: CryptoType,
    readonly walletAddress: string,
    readonly by: { actor: Actor; commandId: string },
  ) {
    super();
  }
}

@CommandHandler(SaveWallet)
export class SaveWalletHandler implements ICommandHandler<SaveWallet> {
  constructor(
    private readonly streams: StreamCommands,
    private readonly limits: GamerLimits,
  ) {}

  async execute({ cryptoType, walletAddress, by }: SaveWallet) {
    mustBeAddress(cryptoType, walletAddress);
    const gamerId = by.actor.id;
    await this.limits.countWalletChange(gamerId);
    const saved: WalletSaved = { type: 'WalletSaved', data: { gamerId, cryptoType, walletAddress } };
    const { position } = await this.streams.execute<CryptoWallets | null, GamerEvent>({
      stream: gamerStream(gamerId),
      // Null until the registration: a deleted gamer's stream must not begin anew.
      initial: null,
      evolve: (wallets, { event }) => {
        if (event.type === 'GamerRegistered') return {};
        return event.type === 'WalletSaved'
          ? { ...wallets, [event.data.cryptoType]: event.data.walletAddress }
          : wallets;
      },
      decide: (wallets) => {
        if (wallets === null) return { refusal: { code: 'gamer-not-found' } };
        return { events: wallets[cryptoType] === walletAddress ? [] : [saved] };
      },
      by,
      asked: { type: 'SaveWallet', cryptoType, walletAddress },
    });
    return withPosition(position, { message: 'The wallet address is saved' });
  }
}
