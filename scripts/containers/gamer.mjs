import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Play money of each gamer, and a token's price. */
export const MONEY_CENTS = 1_000_000;
const TOKEN_CENTS = 30;
const PAUSE_MS = 50;
const RESPONSE_TIMEOUT_MS = 15_000;

/** A browser: keeps its cookies, and has an address of its own behind nginx. */
export class Browser {
  #cookies = new Map();

  constructor(url, address) {
    this.url = url;
    this.headers = { origin: url, 'x-forwarded-for': address, 'content-type': 'application/json' };
  }

  /** Returns the response's status and JSON. Throws when there is none. */
  async post(path, body = {}, headers = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { ...this.headers, ...headers, cookie },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  async demand(path, body) {
    const response = await this.post(path, body);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }
}

/** Buys tokens, each with a key, until it is stopped; repeats each request with its key until the response is definite. */
export class Gamer {
  /** Receipts, with the time of each response. */
  receipts = [];
  /** The statuses of the failed requests, with their times; `none` where no response came. */
  refusals = [];
  #isBuying = true;

  static async register(url, index) {
    const gamer = new Gamer();
    gamer.browser = new Browser(url, `203.0.113.${index}`);
    const person = { username: `gamer_${index}`, email: `gamer_${index}@example.com`, password: 'open sesame' };
    gamer.id = (await gamer.browser.demand('/api/register', { ...person, referralCode: null })).id;
    return gamer;
  }

  async buyUntilStopped() {
    while (this.#isBuying) {
      const key = { 'Idempotency-Key': randomUUID() };
      for (;;) {
        const body = { quantity: 1, userId: this.id };
        const response = await this.browser.post('/api/buy-from-balance', body, key).catch(() => ({ status: 'none' }));
        if (response.status === 200) {
          this.receipts.push({ ...response.body, atMs: Date.now() });
          break;
        }
        this.refusals.push({ status: response.status, atMs: Date.now() });
        if (response.status < 500 && response.status !== 429)
          throw new Error(`a purchase: ${response.status} ${JSON.stringify(response.body)}`);
        await sleep(PAUSE_MS);
      }
      await sleep(PAUSE_MS);
    }
  }

  stop() {
    this.#isBuying = false;
  }

  /** Throws when a purchase was made twice or its price was not paid once. */
  assertPaidOnce() {
    const ids = new Set(this.receipts.map(({ purchaseId }) => purchaseId));
    const { purchaseBalanceCents } = this.receipts.at(-1);
    const paid = MONEY_CENTS - purchaseBalanceCents;
    if (ids.size !== this.receipts.length || paid !== ids.size * TOKEN_CENTS)
      throw new Error(`${this.receipts.length} purchases have ${ids.size} ids and cost ${paid} cents`);
  }
}
