import { setTimeout as delay } from 'node:timers/promises';
import { type HttpRequest, type HttpResponse, json } from '../pages/http-server.js';

const htmlPage = (status: number, title: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

/** The response that each kind of fault sends; undefined sends none. */
const RESPONSES = {
  'rate-limited': htmlPage(429, '429 Too Many Requests'),
  'server-error': json(500, {
    status: false,
    statusCode: 500,
    code: 'INTERNAL_ERROR',
    message: 'Internal server error',
  }),
  html: htmlPage(502, '502 Bad Gateway'),
  malformed: { ...json(200, null), body: '{"payment_id":58000' },
  'wrong-shape': json(200, { message: 'OK' }),
  /** Executes the request. */
  'no-answer': undefined,
  /** Closes the connection and executes nothing. */
  reset: undefined,
};

type FaultKind = keyof typeof RESPONSES;
export const FAULT_KINDS = Object.keys(RESPONSES) as FaultKind[];

interface Fault {
  kind: FaultKind;
  /** Number of requests that the fault affects. */
  times: number;
  /** Beginning of the affected requests, such as `POST /v1/invoice`; without it the fault affects every API request. */
  on?: string;
}

/** Faults that tests inject into the API. */
export class Faults {
  latencyMs = 0;
  private pending: Fault[] = [];

  add(fault: Fault): void {
    this.pending.push(fault);
  }

  clear(): void {
    this.latencyMs = 0;
    this.pending = [];
  }

  /** The response to the request, changed by the first pending fault that matches; undefined for no response. */
  async apply(
    { method, path }: HttpRequest,
    next: () => Promise<HttpResponse>,
    resetConnection: () => void,
  ): Promise<HttpResponse | undefined> {
    if (this.latencyMs > 0) await delay(this.latencyMs, undefined, { ref: false });
    const fault = this.pending.find(({ on = '' }) => `${method} ${path}`.startsWith(on));
    if (fault === undefined) return next();
    fault.times--;
    this.pending = this.pending.filter(({ times }) => times > 0);
    if (fault.kind === 'no-answer') await next();
    if (fault.kind === 'reset') resetConnection();
    return RESPONSES[fault.kind];
  }
}
