import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Answer, json, type Request } from '../pages/http-server.js';

export interface Account {
  apiKey: string;
  ipnSecret: string;
  email: string;
  password: string;
}

/** As the real one: five minutes. */
const TOKEN_LIFE_MS = 5 * 60_000;

export const refusal = (statusCode: number, code: string, message: string): Answer =>
  json(statusCode, { status: false, statusCode, code, message });

export const hasKey = ({ apiKey }: Account, { headers }: Request): boolean => headers['x-api-key'] === apiKey;

/** A token of the form the real one has (a signed JWT); nothing of it needs to be remembered. */
export function issueToken(account: Account, now: number): string {
  const claims = { iat: Math.floor(now / 1000), exp: Math.floor((now + TOKEN_LIFE_MS) / 1000) };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${signature(account, signed)}`;
}

export function hasToken(account: Account, { headers }: Request, now: number): boolean {
  const [, signed, given] = /^Bearer ([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (signed === undefined || given === undefined) return false;
  const expected = signature(account, signed);
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return false;
  const { exp } = JSON.parse(Buffer.from(signed.split('.')[1]!, 'base64url').toString()) as { exp: number };
  return exp * 1000 > now;
}

/** Its key is not the IPN secret itself, which signs what is sent to others. */
const signature = ({ ipnSecret, password }: Account, signed: string): string =>
  createHmac('sha256', `token ${ipnSecret} ${password}`).update(signed).digest('base64url');
