import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { respondInTime } from './refusal.filter.js';

function statusWithoutResponse(route: string): number | null {
  let sentStatus: number | null = null;
  const reply = {
    sent: false,
    raw: new EventEmitter(),
    header: () => reply,
    type: () => reply,
    status(status: number) {
      sentStatus = status;
      return reply;
    },
    send: () => reply,
  };
  respondInTime({ route } as FastifyRequest, reply as unknown as FastifyReply, () => {});
  jest.advanceTimersByTime(3_600_000);
  return sentStatus;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it.each(['/api/state', '/api/ledger/key', '/api/buy-from-balance'])('returns 503 in time: %s', (route) => {
  expect(statusWithoutResponse(route)).toBe(503);
});

it('waits as long as an audit takes', () => {
  expect(statusWithoutResponse('/api/audit/statements')).toBeNull();
});
