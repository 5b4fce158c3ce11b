import { IsIn, IsInt, IsNotEmpty, IsOptional, MaxLength, Min } from 'class-validator';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import {
  type SaveWalletRequest,
  type UpdateWithdrawalRequest,
  WITHDRAWALS_LISTED,
  type WithdrawalList,
  type WithdrawRequest,
} from '../../../../contracts/http/withdrawals.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  MIN_WITHDRAWAL_CENTS,
  WALLET_ADDRESS_MAX_LENGTH,
} from '../../../../contracts/limits.js';
import type { WithdrawalUpdate } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { optionalText, refuseAs, requiredText, trimmed } from '../../http/validation.js';

const lists = Object.keys(WITHDRAWALS_LISTED) as WithdrawalList[];
const unsupportedCoin = refuseAs('unsupported-coin');
const fieldsRequired = refuseAs('withdrawal-fields-required');
const profitFieldsRequired = refuseAs('profit-fields-required');
const invalidAmount = refuseAs('invalid-withdrawal-amount');
const belowMinimum = refuseAs('withdrawal-below-minimum');

export class SaveWalletDto implements SaveWalletRequest {
  @IsIn(CRYPTO_TYPES, unsupportedCoin)
  @IsNotEmpty(fieldsRequired)
  cryptoType!: CryptoType;

  @MaxLength(WALLET_ADDRESS_MAX_LENGTH, refuseAs('wallet-address-too-long'))
  @requiredText('withdrawal-fields-required')
  @trimmed
  walletAddress!: string;
}

export class WithdrawDto extends SaveWalletDto implements WithdrawRequest {
  @Min(MIN_WITHDRAWAL_CENTS, belowMinimum)
  @Min(1, invalidAmount)
  @IsInt(invalidAmount)
  @IsNotEmpty(fieldsRequired)
  amountCents!: number;
}

export class ProfitWithdrawDto implements WithdrawRequest {
  @IsIn(CRYPTO_TYPES, unsupportedCoin)
  @IsNotEmpty(profitFieldsRequired)
  cryptoType!: CryptoType;

  @MaxLength(WALLET_ADDRESS_MAX_LENGTH, refuseAs('wallet-address-too-long'))
  @requiredText('profit-fields-required')
  @trimmed
  walletAddress!: string;

  @Min(MIN_WITHDRAWAL_CENTS, belowMinimum)
  @IsInt(invalidAmount)
  amountCents!: number;
}

/** `?listed=&page=&pageSize=`: all withdrawals, or those listed as pending or as completed. */
export class WithdrawalsQuery extends Page {
  @IsOptional()
  @IsIn(lists, { message: `listed must be ${lists.join(' or ')}` })
  listed?: WithdrawalList;
}

export class UpdateWithdrawalDto implements UpdateWithdrawalRequest {
  @IsIn(['processing', 'completed', 'returned'], refuseAs('invalid-withdrawal-status'))
  status!: 'processing' | 'completed' | 'returned';

  @optionalText(ADMIN_NOTES_MAX_LENGTH, 'notes-too-long', 'Notes must be text')
  adminNotes?: string;

  @optionalText(WALLET_ADDRESS_MAX_LENGTH, 'transaction-id-too-long', 'The transaction id must be text')
  txid?: string;
}

/** Notes or a transaction id left empty count as absent. */
export const updateOf = ({ status, adminNotes, txid }: UpdateWithdrawalDto): WithdrawalUpdate => ({
  status,
  adminNotes: adminNotes || null,
  txid: txid || null,
});
