import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type {
  ApproveDepositRequest,
  LookupPaymentRequest,
  RejectDepositRequest,
} from '../../../../contracts/http/deposits.js';
import type { CreateDepositInvoiceRequest, CreateInvoiceRequest } from '../../../../contracts/http/payments.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  MAX_DEPOSIT_DOLLARS,
  MAX_TOKENS_PER_PURCHASE,
  MIN_DEPOSIT_DOLLARS,
  REASON_MAX_LENGTH,
} from '../../../../contracts/limits.js';
import { optionalText, refuseAs, requiredText, trimmed } from '../../http/validation.js';

const unsupportedCoin = refuseAs('unsupported-coin');
const invalidQuantity = refuseAs('invalid-quantity');
const invalidDeposit = refuseAs('invalid-deposit-amount');
const notesTooLong = refuseAs('notes-too-long');

const optionalChange = optionalText(REASON_MAX_LENGTH, 'reason-too-long', 'The change must be text');

// The decorator nearest to a property is checked first.

export class CreateInvoiceDto implements CreateInvoiceRequest {
  @Max(MAX_TOKENS_PER_PURCHASE, refuseAs('too-many-tokens'))
  @Min(1, invalidQuantity)
  @IsInt(invalidQuantity)
  quantity!: number;

  @IsIn(CRYPTO_TYPES, unsupportedCoin)
  currency!: CryptoType;

  @IsString(refuseAs('login-to-create-invoice'))
  userId!: string;
}

export class CreateDepositInvoiceDto implements CreateDepositInvoiceRequest {
  @Max(MAX_DEPOSIT_DOLLARS, invalidDeposit)
  @IsInt(invalidDeposit)
  @Min(MIN_DEPOSIT_DOLLARS, refuseAs('deposit-below-minimum'))
  amount!: number;

  @IsIn(CRYPTO_TYPES, unsupportedCoin)
  currency!: CryptoType;

  @IsString(refuseAs('login-to-create-deposit'))
  userId!: string;
}

export class LookupPaymentDto implements LookupPaymentRequest {
  @MaxLength(64, refuseAs('payment-not-found'))
  @requiredText('payment-id-required')
  @trimmed
  paymentId!: string;

  @IsOptional()
  @MaxLength(64, refuseAs('gamer-not-found'))
  @requiredText('gamer-tag-required')
  @trimmed
  gamerTag?: string;

  @optionalText(REASON_MAX_LENGTH, 'reason-too-long', 'The reason must be text')
  reason?: string;

  @optionalChange
  change?: string | null;
}

export class ApproveDepositDto implements ApproveDepositRequest {
  @MaxLength(64, refuseAs('deposit-not-found'))
  @requiredText('deposit-not-found')
  depositId!: string;

  @optionalChange
  change?: string | null;
}

export class RejectDepositDto extends ApproveDepositDto implements RejectDepositRequest {
  @IsOptional()
  @MaxLength(ADMIN_NOTES_MAX_LENGTH, notesTooLong)
  @IsString(notesTooLong)
  @trimmed
  adminNotes?: string;
}
