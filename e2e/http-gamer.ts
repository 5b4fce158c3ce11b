import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import { Visitor } from '../api/test/visitor.js';
import type { GamerSession } from '../contracts/http/gamers.js';
import { IDEMPOTENCY_KEY } from '../contracts/http/headers.js';
import type { PurchaseReceipt } from '../contracts/http/purchases.js';

/** A gamer's session over HTTP, without a browser; it is valid on every api node. */
export class HttpGamer {
  private constructor(
    readonly id: string,
    readonly refCode: string,
    private readonly visitor: Visitor,
  ) {}

  static async register(url: string, gamerTag: string, password: string, referralCode: string | null) {
    const body = { username: gamerTag, email: `${gamerTag}@example.com`, password, referralCode };
    return HttpGamer.enter(`${url}/api/register`, body);
  }

  static logIn = (url: string, username: string, password: string): Promise<HttpGamer> =>
    HttpGamer.enter(`${url}/api/login`, { username, password });

  private static async enter(url: string, body: object): Promise<HttpGamer> {
    const visitor = new Visitor('');
    const { status, body: session } = await untilServed(() => visitor.post<GamerSession>(url, body));
    if (status >= 300) throw new Error(`${url}: ${status} ${JSON.stringify(session)}`);
    return new HttpGamer(session.id, session.refCode, visitor);
  }

  /** Logs a browser context in as this gamer. */
  async enterWith(context: BrowserContext, url: string): Promise<void> {
    await context.addCookies([...this.visitor.cookies].map(([name, value]) => ({ name, value, url })));
  }

  post = (url: string, body: object, key: string = randomUUID()) =>
    untilServed(() => this.visitor.post<unknown>(url, body, { [IDEMPOTENCY_KEY]: key }));
  put = (url: string, body: object) => this.visitor.put<unknown>(url, body, { [IDEMPOTENCY_KEY]: randomUUID() });
  get = async <T>(url: string): Promise<T> => (await this.visitor.get<T>(url)).body;

  /** Returns the receipt, or the refusal's text. Throws on a status other than 200 and 400. */
  async buy(url: string, quantity: number, key?: string): Promise<PurchaseReceipt | string> {
    const { status, body } = await this.post(`${url}/api/buy-from-balance`, { quantity, userId: this.id }, key);
    if (status === 200) return body as PurchaseReceipt;
    if (status === 400) return (body as { error: string }).error;
    throw new Error(`a purchase was answered with ${status} ${JSON.stringify(body)}`);
  }
}

/** Sends again while a busy machine's server does not decide, as the page does; the key makes it one command. */
async function untilServed<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
    await sleep(500);
  }
}
