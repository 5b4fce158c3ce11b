import { setTimeout as sleep } from 'node:timers/promises';
import { readAtMost, UnreadableResponse } from '../../../../../contracts/bounded-response.js';
import { type JsonObject, parseObject } from './nowpayments-fields.js';
import { GatewayRefused, GatewayUnavailable } from './payment-gateway.js';

/** The longest response is a list of 500 payments of one or two kilobytes each. */
const RESPONSE_LIMIT_BYTES = 4 * 1024 * 1024;
/** After a 429 even a POST may be repeated: the gateway did not act on it. The limits are per second. */
const RATE_LIMITED_TRIES = 3;

export interface HttpRequest {
  method: 'GET' | 'POST';
  /** Appended to the base address: `/payment/1`. */
  path: string;
  body?: JsonObject;
  headers?: Record<string, string>;
}

export interface NowPaymentsAccount {
  /** `https://api.nowpayments.io/v1`, or the address of its sandbox or of the embedded gateway. */
  baseUrl: string;
  apiKey: string;
  /** Email and password of the account: the API key alone may neither list payments nor make payouts. */
  email: string;
  password: string;
}

/** NOWPayments over HTTP. Each call returns a JSON object or throws GatewayRefused or GatewayUnavailable. */
export class NowPaymentsHttp {
  private readonly baseUrl: string;
  private token: Promise<string> | undefined;

  constructor(
    private readonly account: NowPaymentsAccount,
    private readonly timeoutMs: number,
    private readonly rateLimitPauseMs: number,
  ) {
    this.baseUrl = account.baseUrl.replace(/\/+$/, '');
  }

  /** @param signal ends the call, by default after `timeoutMs` */
  async call(request: HttpRequest, signal = AbortSignal.timeout(this.timeoutMs)): Promise<JsonObject> {
    for (let tries = 1; ; tries++) {
      const response = await this.send(request, signal);
      if (response.status !== 429) return jsonOf(request, response);
      if (tries === RATE_LIMITED_TRIES) break;
      await sleep(this.rateLimitPauseMs * tries, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
    throw new GatewayUnavailable('rate-limited', `${describeRequest(request)}: too many requests`);
  }

  /** Calls as `call` does, logged in. Retries once with a new token on a 401 or 403: a token is valid for five minutes. */
  async callWithToken(request: HttpRequest): Promise<JsonObject> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const callWith = (token: string) =>
      this.call({ ...request, headers: { authorization: `Bearer ${token}` } }, signal);
    const token = await this.currentToken(signal);
    try {
      return await callWith(token);
    } catch (error) {
      if (!(error instanceof GatewayRefused) || ![401, 403].includes(error.httpStatus)) throw error;
      this.token = undefined;
      return callWith(await this.currentToken(signal));
    }
  }

  private currentToken(signal: AbortSignal): Promise<string> {
    this.token ??= this.logIn(signal).catch((error: unknown) => {
      this.token = undefined;
      throw error;
    });
    return this.token;
  }

  private async logIn(signal: AbortSignal): Promise<string> {
    const { email, password } = this.account;
    const request: HttpRequest = { method: 'POST', path: '/auth', body: { email, password } };
    const { token } = await this.call(request, signal);
    if (typeof token !== 'string' || token === '') throw unreadable(request, 'no token');
    return token;
  }

  /** Sends once: after a timeout a POST must not be repeated, because the gateway may have acted on it. */
  private async send(request: HttpRequest, signal: AbortSignal): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(this.baseUrl + request.path, {
        method: request.method,
        headers: {
          'x-api-key': this.account.apiKey,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...request.headers,
        },
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
        // The API key must not follow a redirect to another server.
        redirect: 'error',
        signal,
      });
      const bytes = await readAtMost(RESPONSE_LIMIT_BYTES, response, 'the response');
      return { status: response.status, text: new TextDecoder().decode(bytes) };
    } catch (error) {
      if (error instanceof UnreadableResponse) throw unreadable(request, error.message);
      if (signal.aborted) throw new GatewayUnavailable('timeout', `${describeRequest(request)}: no response in time`);
      const code = String((error as { cause?: { code?: unknown } }).cause?.code ?? '');
      throw new GatewayUnavailable('unreachable', `${describeRequest(request)}: ${code || String(error)}`);
    }
  }
}

function jsonOf(request: HttpRequest, { status, text }: { status: number; text: string }): JsonObject {
  if (status >= 500) throw new GatewayUnavailable('server-error', `${describeRequest(request)}: HTTP ${status}`);
  // OK is the documented response to the verification of payouts.
  const json = text === 'OK' ? {} : parseObject(text);
  if (json === undefined) throw unreadable(request, `HTTP ${status} without a JSON object`);
  if (status >= 200 && status < 300) return json;
  if (status < 400) throw unreadable(request, `HTTP ${status}`);
  const code = typeof json.code === 'string' ? json.code : `HTTP_${status}`;
  const message = typeof json.message === 'string' ? json.message : `${describeRequest(request)}: HTTP ${status}`;
  throw new GatewayRefused(status, code, message);
}

/** The error for a response that cannot be understood, also used when a field is missing. */
export function unreadable(request: Pick<HttpRequest, 'method' | 'path'>, why: string): GatewayUnavailable {
  return new GatewayUnavailable('unreadable', `${describeRequest(request)}: ${why}`);
}

const describeRequest = ({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string => `${method} ${path}`;
