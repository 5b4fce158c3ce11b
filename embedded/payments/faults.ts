import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

const htmlPage = (title: string): string =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

/** The response that each kind of fault sends, and executes nothing. */
const RESPONSES = {
  'rate-limited': { status: 429, type: 'text/html', body: htmlPage('429 Too Many Requests') },
  'server-error': {
    status: 500,
    type: 'application/json',
    body: '{"status":false,"statusCode":500,"code":"INTERNAL_ERROR","message":"Internal server error"}',
  },
  html: { status: 502, type: 'text/html', body: htmlPage('502 Bad Gateway') },
  malformed: { status: 200, type: 'application/json', body: '{"payment_id":58000' },
  'wrong-shape': { status: 200, type: 'application/json', body: '{"message":"OK"}' },
};

/** `no-answer` executes the request and never responds; `reset` closes the connection and executes nothing. */
type FaultKind = keyof typeof RESPONSES | 'no-answer' | 'reset';

export interface Fault {
  kind: FaultKind;
  /** Number of requests that the fault affects. */
  times: number;
  /** Beginning of the affected requests, such as `POST /v1/invoice`; empty for every API request. */
  on: string;
}

/** Faults that tests inject into the API. */
export class Faults {
  latencyMs = 0;
  private pending: Fault[] = [];
  private readonly unanswered = new WeakSet<FastifyRequest>();

  add(fault: Fault): void {
    this.pending.push(fault);
  }

  clear(): void {
    this.latencyMs = 0;
    this.pending = [];
  }

  /** Applies the first pending fault that matches a request. Returns the reply when nothing is to be executed. */
  async apply(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (this.latencyMs > 0) await delay(this.latencyMs, undefined, { ref: false });
    const fault = this.pending.find(({ on }) => `${request.method} ${request.url}`.startsWith(on));
    if (fault === undefined) return undefined;
    fault.times--;
    this.pending = this.pending.filter(({ times }) => times > 0);
    if (fault.kind === 'no-answer') {
      this.unanswered.add(request);
      return undefined;
    }
    if (fault.kind === 'reset') {
      reply.hijack();
      request.raw.socket.resetAndDestroy();
      return reply;
    }
    const { status, type, body } = RESPONSES[fault.kind];
    return reply.code(status).type(type).send(body);
  }

  isUnanswered(request: FastifyRequest): boolean {
    return this.unanswered.has(request);
  }
}
