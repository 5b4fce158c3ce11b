import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { CryptoWallets } from '../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../contracts/ids.js';
import { WalletRow } from '../../../projections/src/views/wallets.entity.js';

@Injectable()
export class WalletsQueries {
  constructor(@InjectRepository(WalletRow) private readonly wallets: Repository<WalletRow>) {}

  async of(gamerId: GamerId): Promise<CryptoWallets> {
    return (await this.wallets.findOneBy({ gamerId }))?.addresses ?? {};
  }
}
