import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { requestLogging } from './logging.js';

/** The lines that a request and its answer leave behind, at level info. */
function linesOf(statusCode: number, { isAnswered = true } = {}): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => written.push(JSON.parse(line)) });
  const request = {
    method: 'POST',
    originalUrl: '/api/reset?token=secret',
    socket: { remoteAddress: '192.0.2.1' },
  } as unknown as Request;
  const response = Object.assign(new EventEmitter(), { statusCode, writableFinished: isAnswered });
  const next = jest.fn();
  requestLogging(logger)(request, response as unknown as Response, next);
  expect(next).toHaveBeenCalledTimes(1);
  expect(written).toEqual([]);
  response.emit('close');
  return written;
}

describe('the log of requests', () => {
  it('says nothing of what went well, there is so much of it', () => {
    expect(linesOf(200)).toEqual([]);
  });

  it('tells refusals as info and failures of ours as errors', () => {
    expect(linesOf(403)).toMatchObject([{ level: 30, res: { statusCode: 403 }, msg: 'request completed' }]);
    expect(linesOf(500)).toMatchObject([{ level: 50, res: { statusCode: 500 } }]);
  });

  it('names method, path and sender, and never the query', () => {
    const [line] = linesOf(400);
    expect(line?.req).toMatchObject({ method: 'POST', path: '/api/reset', remoteAddress: '192.0.2.1' });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('tells when the sender left before the answer', () => {
    expect(linesOf(400, { isAnswered: false })).toMatchObject([{ msg: 'request broken off' }]);
  });
});
