import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { CRYPTO_TYPES, type CryptoType } from '../../../contracts/crypto.js';
import {
  type SaveWalletRequest,
  type UpdateWithdrawalRequest,
  WITHDRAWALS_LISTED,
  type WithdrawalList,
  type WithdrawRequest,
} from '../../../contracts/http/withdrawals.js';
import { ADMIN_NOTES_MAX_LENGTH, MIN_WITHDRAWAL_CENTS, WALLET_ADDRESS_MAX_LENGTH } from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { PageQuery } from '../http/page.js';
import { trimmed } from '../http/trimmed.js';

const lists = Object.keys(WITHDRAWALS_LISTED) as WithdrawalList[];
const unsupportedCoin = refusalText({ code: 'unsupported-coin' });
const fieldsRequired = refusalText({ code: 'withdrawal-fields-required' });
const profitFieldsRequired = refusalText({ code: 'profit-fields-required' });
const invalidAmount = refusalText({ code: 'invalid-withdrawal-amount' });
const belowMinimum = refusalText({ code: 'withdrawal-below-minimum' });

export class SaveWalletDto implements SaveWalletRequest {
  @IsIn(CRYPTO_TYPES, { message: unsupportedCoin })
  @IsNotEmpty({ message: fieldsRequired })
  cryptoType!: CryptoType;

  @MaxLength(WALLET_ADDRESS_MAX_LENGTH, { message: 'The wallet address is too long' })
  @IsNotEmpty({ message: fieldsRequired })
  @IsString({ message: fieldsRequired })
  @trimmed
  walletAddress!: string;
}

export class WithdrawDto extends SaveWalletDto implements WithdrawRequest {
  @Min(MIN_WITHDRAWAL_CENTS, { message: belowMinimum })
  @Min(1, { message: invalidAmount })
  @IsInt({ message: invalidAmount })
  @IsNotEmpty({ message: fieldsRequired })
  amountCents!: number;
}

export class ProfitWithdrawDto implements WithdrawRequest {
  @IsIn(CRYPTO_TYPES, { message: unsupportedCoin })
  @IsNotEmpty({ message: profitFieldsRequired })
  cryptoType!: CryptoType;

  @MaxLength(WALLET_ADDRESS_MAX_LENGTH, { message: 'The wallet address is too long' })
  @IsNotEmpty({ message: profitFieldsRequired })
  @IsString({ message: profitFieldsRequired })
  @trimmed
  walletAddress!: string;

  @Min(MIN_WITHDRAWAL_CENTS, { message: belowMinimum })
  @IsInt({ message: invalidAmount })
  amountCents!: number;
}

/** `?listed=&page=&pageSize=`: of all withdrawals, or of those that are listed as pending or as completed. */
export class WithdrawalsQuery extends PageQuery {
  @IsOptional()
  @IsIn(lists, { message: `listed must be ${lists.join(' or ')}` })
  listed?: WithdrawalList;
}

export class UpdateWithdrawalDto implements UpdateWithdrawalRequest {
  @IsIn(['processing', 'completed', 'returned'], { message: refusalText({ code: 'invalid-withdrawal-status' }) })
  status!: 'processing' | 'completed' | 'returned';

  @IsOptional()
  @MaxLength(ADMIN_NOTES_MAX_LENGTH, { message: refusalText({ code: 'notes-too-long' }) })
  @IsString({ message: 'Notes must be text' })
  @trimmed
  adminNotes?: string;

  @IsOptional()
  @MaxLength(WALLET_ADDRESS_MAX_LENGTH, { message: 'The transaction id is too long' })
  @IsString({ message: 'The transaction id must be text' })
  @trimmed
  txid?: string;
}
