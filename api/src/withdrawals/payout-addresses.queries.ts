import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { GamerId } from '../../../contracts/ids.js';
import { WalletRow, WithdrawalRow } from '../../../projections/src/views/tables.entity.js';
import { PersonalTexts } from '../personal-texts/personal-texts.js';

@Injectable()
export class PayoutAddresses {
  constructor(
    private readonly tables: EntityManager,
    private readonly texts: PersonalTexts,
  ) {}

  /** The gamer's saved addresses, and those of the gamer's withdrawals. */
  async of(gamerId: GamerId): Promise<string[]> {
    const saved = (await this.tables.findOneBy(WalletRow, { gamerId }))?.addresses ?? {};
    const withdrawals = await this.tables.find(WithdrawalRow, {
      where: { gamerId },
      select: { id: true, gamerId: true, walletAddress: true },
    });
    const withdrawnTo = await this.texts.decrypt(withdrawals);
    return [...new Set([...Object.values(saved), ...withdrawnTo.map(({ walletAddress }) => walletAddress)])];
  }
}
