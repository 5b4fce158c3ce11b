import { compareDecimals, type DecimalText, decimalText } from '../../contracts/decimal.js';
import type { Answer } from '../pages/http-server.js';
import { refusal } from './api-access.js';
import { CURRENCIES, inCoins } from './rates.js';
import type { Settings } from './records.js';

/** What is asked for in the body of an order, checked as the real API does, with its codes. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';

  constructor(readonly answer: Answer) {
    super('refused');
  }
}

export const refuse = (status: number, code: string, message: string): never => {
  throw new ApiRefusal(refusal(status, code, message));
};

type Body = Record<string, unknown>;

export function optionalText(body: Body, name: string): string | null {
  const value = body[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return refuse(400, 'INVALID_REQUEST_PARAMS', `${name} must be a string`);
}

export function optionalUrl(body: Body, name: string): string | null {
  const value = optionalText(body, name);
  if (value === null) return null;
  const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isWeb ? value : refuse(400, 'INVALID_REQUEST_PARAMS', `${name} must be a valid uri`);
}

export function requiredAmount(body: Body, name: string): DecimalText {
  const amount = decimalText(body[name]);
  if (amount === undefined) return refuse(400, 'INVALID_REQUEST_PARAMS', `${name} is required`);
  if (compareDecimals(amount, '0') <= 0) return refuse(400, 'INVALID_REQUEST_PARAMS', `${name} must be above 0`);
  return amount;
}

/** Only dollars have a rate here. */
export function requiredPriceCurrency(body: Body): string {
  const currency = optionalText(body, 'price_currency')?.toLowerCase();
  if (currency === undefined) return refuse(400, 'INVALID_REQUEST_PARAMS', 'price_currency is required');
  return currency === 'usd' ? currency : refuse(400, 'BAD_REQUEST', `Currency ${currency} is not supported`);
}

export function knownCurrency(value: string | null, name: string): string {
  if (value === null) return refuse(400, 'INVALID_REQUEST_PARAMS', `${name} is required`);
  const currency = value.toLowerCase();
  return CURRENCIES.includes(currency) ? currency : refuse(400, 'BAD_REQUEST', `Currency ${currency} was not found`);
}

export function aboveMinimum(settings: Settings, dollars: DecimalText, currency: string): void {
  const amount = inCoins(settings, dollars, currency);
  const minimum = settings.minimums[currency] ?? '0';
  if (compareDecimals(amount, minimum) < 0) {
    refuse(400, 'AMOUNT_MINIMAL_ERROR', `Crypto amount ${amount} is less than minimal`);
  }
}
