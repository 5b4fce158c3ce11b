import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from './nowpayments-fields.js';
import { GatewayRefused, GatewayUnavailable } from './payment-gateway.js';

/** The longest answer is a list of 500 payments, of one or two kilobytes each. */
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
/** A 429 says that nothing was done, so that even a POST may be sent again; the limits are per second. */
const RATE_LIMITED_TRIES = 3;

/** The connection was never made, so nobody can have acted on the request. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

export interface HttpRequest {
  method: 'GET' | 'POST';
  /** After the base address: `/payment/1`. */
  path: string;
  body?: JsonObject;
  headers?: Record<string, string>;
}

/** NOWPayments over HTTP: an object, or one of the two errors. Each call obeys the signal, which carries its deadline. */
export class NowPaymentsHttp {
  private readonly baseUrl: string;

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
    private readonly rateLimitPauseMs: number,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
  }

  async call(request: HttpRequest, signal: AbortSignal): Promise<JsonObject> {
    for (let tries = 1; ; tries++) {
      const answer = await this.send(request, signal);
      if (answer.status !== 429) return understand(request, answer);
      if (tries === RATE_LIMITED_TRIES) break;
      await delay(this.rateLimitPauseMs * tries, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
    throw new GatewayUnavailable('rate-limited', false, `${named(request)}: too many requests`);
  }

  /** Never repeated by itself: whoever timed out cannot know whether a POST was carried out. */
  private async send(request: HttpRequest, signal: AbortSignal): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(this.baseUrl + request.path, {
        method: request.method,
        headers: {
          'x-api-key': this.apiKey,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...request.headers,
        },
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
        // The key must not follow a redirection to somebody else.
        redirect: 'error',
        signal,
      });
      return { status: response.status, text: await boundedText(response, request) };
    } catch (error) {
      if (error instanceof GatewayUnavailable) throw error;
      if (signal.aborted) {
        throw new GatewayUnavailable('timeout', request.method === 'POST', `${named(request)}: no answer in time`);
      }
      const code = String((error as { cause?: { code?: unknown } }).cause?.code ?? '');
      const mayHaveHappened = request.method === 'POST' && !NEVER_SENT.includes(code);
      const message = `${named(request)}: ${code || String(error)}`;
      throw new GatewayUnavailable('unreachable', mayHaveHappened, message, { cause: error });
    }
  }
}

async function boundedText(response: Response, request: HttpRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_LIMIT_BYTES) throw unreadable(request, `more than ${ANSWER_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function understand(request: HttpRequest, { status, text }: { status: number; text: string }): JsonObject {
  if (status >= 500) {
    throw new GatewayUnavailable('server-error', request.method === 'POST', `${named(request)}: HTTP ${status}`);
  }
  const json = parsed(text);
  if (json === undefined) throw unreadable(request, `HTTP ${status} without a JSON object`);
  if (status >= 200 && status < 300) return json;
  if (status < 400) throw unreadable(request, `HTTP ${status}`);
  const code = typeof json.code === 'string' ? json.code : `HTTP_${status}`;
  const message = typeof json.message === 'string' ? json.message : `${named(request)}: HTTP ${status}`;
  throw new GatewayRefused(status, code, message);
}

function parsed(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined; // A page in HTML, mostly from whoever stands before the gateway.
  }
}

/** Also used by readers that miss a field: the gateway spoke, and we did not understand. */
export function unreadable(request: Pick<HttpRequest, 'method' | 'path'>, why: string): GatewayUnavailable {
  return new GatewayUnavailable('unreadable', request.method === 'POST', `${named(request)}: ${why}`);
}

const named = ({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string => `${method} ${path}`;
