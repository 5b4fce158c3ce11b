import { IsString, Max } from 'class-validator';
import { InvalidRequest } from '../platform/failures.js';
import { optionalNumber, refuseAs, requiredText, Validation } from './validation.js';

class Wallet {
  @requiredText('profit-fields-required')
  address!: string;
}

class Page {
  @optionalNumber(100, 'The limit must be from 1 to 100')
  limit?: number;
}

class WalletPage extends Page {
  @requiredText('wallet-address-too-long')
  address!: string;
}

class ShortPage extends Page {
  @Max(10, refuseAs('invalid-request'))
  override limit?: number;

  @IsString({ message: 'The name must be a text' })
  name!: string;
}

const validation = new Validation();
const check = (value: unknown, metatype: new () => object) => validation.transform(value, { type: 'body', metatype });

function refusalOf(value: unknown, metatype: new () => object): [string, string] {
  try {
    check(value, metatype);
  } catch (error) {
    if (error instanceof InvalidRequest) return [error.message, error.code];
    throw error;
  }
  throw new Error('it was accepted');
}

it('makes an object of the class, without unknown fields, a prototype or a constructor from the request', () => {
  const sent = '{"limit":"7","role":"admin","__proto__":{"isAdmin":true},"constructor":{"name":"Wallet"}}';
  const checked = check(JSON.parse(sent), Page);
  expect(Object.getPrototypeOf(checked)).toBe(Page.prototype);
  expect(checked).toEqual({ limit: 7 });
  expect(checked).not.toHaveProperty('isAdmin');
});

it('refuses with the text of the first broken rule and its code, a missing body as an empty one, and lists', () => {
  expect(refusalOf({ limit: 'many' }, Page)).toEqual(['The limit must be from 1 to 100', 'invalid-request']);
  const required = ['Please fill in cryptocurrency type and wallet address', 'profit-fields-required'];
  expect(refusalOf({ address: '' }, Wallet)).toEqual(required);
  expect(refusalOf(undefined, Wallet)).toEqual(required);
  expect(check(undefined, Page)).toEqual({});
  for (const list of [[], [{ address: 'one' }]]) expect(refusalOf(list, Wallet)[1]).toBe('invalid-request');
});

it('keeps the rules of a class, of the class it extends and of its sisters apart', () => {
  for (let round = 0; round < 2; round += 1) {
    expect(check({ limit: 50 }, Page)).toEqual({ limit: 50 });
    expect(refusalOf({ limit: 50, name: 'a' }, ShortPage)[1]).toBe('invalid-request');
    expect(refusalOf({ limit: 5 }, ShortPage)[0]).toBe('The name must be a text');
    expect(check({ limit: 50, address: 'one' }, WalletPage)).toEqual({ limit: 50, address: 'one' });
    expect(refusalOf({ limit: 50 }, WalletPage)[1]).toBe('wallet-address-too-long');
  }
});

it('leaves values without rules as they are', () => {
  const body = Buffer.from('{}');
  expect(validation.transform(body, { type: 'body', metatype: Buffer })).toBe(body);
  expect(validation.transform('7', { type: 'param', metatype: String, data: 'roundId' })).toBe('7');
  const gamer = { gamerId: 'alice' };
  expect(validation.transform(gamer, { type: 'custom', metatype: Page })).toBe(gamer);
});
