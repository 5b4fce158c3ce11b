import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { CRYPTO_TYPES, type CryptoType } from '../../../contracts/crypto.js';
import type {
  ApproveDepositRequest,
  CreateDepositInvoiceRequest,
  CreateInvoiceRequest,
  LookupPaymentRequest,
  RejectDepositRequest,
} from '../../../contracts/http/payments.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  MAX_DEPOSIT_DOLLARS,
  MAX_TOKENS_PER_PURCHASE,
  MIN_DEPOSIT_DOLLARS,
} from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { trimmed } from '../http/trimmed.js';

const unsupportedCoin = refusalText({ code: 'unsupported-coin' });
const invalidQuantity = refusalText({ code: 'invalid-quantity' });
const invalidDeposit = refusalText({ code: 'invalid-deposit-amount' });
const paymentIdRequired = refusalText({ code: 'payment-id-required' });
const gamerTagRequired = refusalText({ code: 'gamer-tag-required' });
const depositNotFound = refusalText({ code: 'deposit-not-found' });
const notesTooLong = refusalText({ code: 'notes-too-long' });

// The decorator nearest to a property is checked first.

export class CreateInvoiceDto implements CreateInvoiceRequest {
  @Max(MAX_TOKENS_PER_PURCHASE, { message: refusalText({ code: 'too-many-tokens' }) })
  @Min(1, { message: invalidQuantity })
  @IsInt({ message: invalidQuantity })
  quantity!: number;

  @IsIn(CRYPTO_TYPES, { message: unsupportedCoin })
  currency!: CryptoType;

  @IsString({ message: refusalText({ code: 'login-to-create-invoice' }) })
  userId!: string;
}

export class CreateDepositInvoiceDto implements CreateDepositInvoiceRequest {
  @Max(MAX_DEPOSIT_DOLLARS, { message: invalidDeposit })
  @IsInt({ message: invalidDeposit })
  @Min(MIN_DEPOSIT_DOLLARS, { message: refusalText({ code: 'deposit-below-minimum' }) })
  amount!: number;

  @IsIn(CRYPTO_TYPES, { message: unsupportedCoin })
  currency!: CryptoType;

  @IsString({ message: refusalText({ code: 'login-to-create-deposit' }) })
  userId!: string;
}

export class LookupPaymentDto implements LookupPaymentRequest {
  @MaxLength(64, { message: refusalText({ code: 'payment-not-found' }) })
  @IsNotEmpty({ message: paymentIdRequired })
  @IsString({ message: paymentIdRequired })
  @trimmed
  paymentId!: string;

  @IsOptional()
  @MaxLength(64, { message: refusalText({ code: 'gamer-not-found' }) })
  @IsNotEmpty({ message: gamerTagRequired })
  @IsString({ message: gamerTagRequired })
  @trimmed
  gamerTag?: string;
}

export class ApproveDepositDto implements ApproveDepositRequest {
  @MaxLength(64, { message: depositNotFound })
  @IsNotEmpty({ message: depositNotFound })
  @IsString({ message: depositNotFound })
  depositId!: string;
}

export class RejectDepositDto extends ApproveDepositDto implements RejectDepositRequest {
  @IsOptional()
  @MaxLength(ADMIN_NOTES_MAX_LENGTH, { message: notesTooLong })
  @IsString({ message: notesTooLong })
  @trimmed
  adminNotes?: string;
}
