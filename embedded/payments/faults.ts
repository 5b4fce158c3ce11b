import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Connection, json, type Request } from '../pages/http-server.js';

/**
 * How the API can be made to misbehave. `no-answer` carries the request out and keeps the answer: what a caller who
 * times out cannot tell from `reset`, which breaks the connection off before anything is done.
 */
export const FAULT_KINDS = [
  'rate-limited',
  'server-error',
  'html',
  'malformed',
  'wrong-shape',
  'no-answer',
  'reset',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** How many requests it spoils. */
  times: number;
  /** The beginning of those requests, such as `POST /v1/invoice`; every request of the API when absent. */
  on?: string;
}

const TOO_MANY = '<html><head><title>429 Too Many Requests</title></head><body><h1>429</h1></body></html>';
const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const text = (status: number, type: string, body: string): Answer => ({
  status,
  headers: { 'content-type': type },
  body,
});

export class Faults {
  latencyMs = 0;
  private next: Fault[] = [];

  add(fault: Fault): void {
    this.next.push({ ...fault });
  }

  clear(): void {
    this.latencyMs = 0;
    this.next = [];
  }

  /** Answers in place of the API when a fault is due. */
  async spoil(request: Request, answer: () => Promise<Answer>, socket: Connection): Promise<Answer | 'unanswered'> {
    if (this.latencyMs > 0) await delay(this.latencyMs, undefined, { ref: false });
    switch (this.due(request)) {
      case undefined:
        return answer();
      case 'rate-limited':
        return text(429, 'text/html', TOO_MANY);
      case 'server-error':
        return json(500, { status: false, statusCode: 500, code: 'INTERNAL_ERROR', message: 'Internal server error' });
      case 'html':
        return text(502, 'text/html', BAD_GATEWAY);
      case 'malformed':
        return text(200, 'application/json', '{"payment_id":58000');
      case 'wrong-shape':
        return json(200, { message: 'OK' });
      case 'no-answer':
        await answer();
        return 'unanswered';
      case 'reset':
        socket.reset();
        return 'unanswered';
    }
  }

  private due({ method, path }: Request): FaultKind | undefined {
    const named = `${method} ${path}`;
    const fault = this.next.find(({ on }) => on === undefined || named.startsWith(on));
    if (fault === undefined) return undefined;
    fault.times--;
    if (fault.times <= 0) this.next.splice(this.next.indexOf(fault), 1);
    return fault.kind;
  }
}
