import { compareDecimals, type DecimalText, decimalText } from '../../contracts/decimal.js';
import { type Body, HttpError } from '../pages/http-server.js';
import { CURRENCIES } from './coins.js';

/** An error response in the real API's form, with its codes. */
export const apiError = (statusCode: number, code: string, message: string): HttpError =>
  new HttpError(statusCode, message, { status: false, statusCode, code, message });

export const invalid = (message: string): HttpError => apiError(400, 'INVALID_REQUEST_PARAMS', message);

export function knownCurrency(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalid(`${name} is required`);
  const currency = value.toLowerCase();
  if (CURRENCIES.includes(currency)) return currency;
  throw apiError(400, 'BAD_REQUEST', `Currency ${currency} was not found`);
}

export function optionalText(body: Body, name: string): string | null {
  const value = body[name] ?? '';
  if (value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw invalid(`${name} must be a string`);
}

export function optionalUrl(body: Body, name: string): string | null {
  const value = optionalText(body, name);
  if (value === null || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw invalid(`${name} must be a valid uri`);
}

export function requiredAmount(values: Body, name: string): DecimalText {
  const amount = decimalText(values[name]);
  if (amount === undefined) throw invalid(`${name} is required`);
  if (compareDecimals(amount, '0') <= 0) throw invalid(`${name} must be above 0`);
  return amount;
}
