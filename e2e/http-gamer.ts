import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import type { GamerSession } from '../contracts/http/accounts.js';
import type { PurchaseReceipt } from '../contracts/http/game.js';
import { IDEMPOTENCY_KEY } from '../contracts/http/headers.js';

/** A gamer's session over HTTP, without a browser; it is valid on every api node. */
export class HttpGamer {
  private constructor(
    readonly id: string,
    readonly gamerTag: string,
    readonly refCode: string,
    private readonly cookie: string,
  ) {}

  static async register(
    url: string,
    gamerTag: string,
    { password = 'a long pass phrase', referralCode = null as string | null } = {},
  ): Promise<HttpGamer> {
    const body = { username: gamerTag, email: `${gamerTag}@example.com`, password, referralCode };
    return HttpGamer.enter(`${url}/api/register`, body);
  }

  static async logIn(url: string, username: string, password: string): Promise<HttpGamer> {
    return HttpGamer.enter(`${url}/api/login`, { username, password });
  }

  private static async enter(url: string, body: object): Promise<HttpGamer> {
    const answer = await fetch(url, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    const { id, gamerTag, refCode } = (await answer.json()) as GamerSession;
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    return new HttpGamer(id, gamerTag, refCode, cookies.join('; '));
  }

  /** Logs a browser context in as this gamer. */
  async enterWith(context: BrowserContext, url: string): Promise<void> {
    const cookies = this.cookie.split('; ').map((cookie) => {
      const [name = '', ...value] = cookie.split('=');
      return { name, value: value.join('='), url };
    });
    await context.addCookies(cookies);
  }

  post = (url: string, body: object, key: string = randomUUID()) => this.send('POST', url, body, key);
  put = (url: string, body: object) => this.send('PUT', url, body, randomUUID());

  private async send(method: string, url: string, body: object, key: string) {
    const headers = { ...JSON_BODY, cookie: this.cookie, [IDEMPOTENCY_KEY]: key };
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as unknown };
  }

  async get<T>(url: string): Promise<T> {
    return (await (await fetch(url, { headers: { cookie: this.cookie } })).json()) as T;
  }

  /** Returns the receipt, or the refusal's text. Throws on a status other than 200 and 400. */
  async buy(url: string, quantity: number, key?: string): Promise<PurchaseReceipt | string> {
    const { status, body } = await this.post(`${url}/api/buy-from-balance`, { quantity, userId: this.id }, key);
    if (status === 200) return body as PurchaseReceipt;
    if (status === 400) return (body as { error: string }).error;
    throw new Error(`a purchase was answered with ${status} ${JSON.stringify(body)}`);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };
