import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { requestLogging } from './logging.js';

function linesOf(statusCode: number, { hasResponse = true } = {}): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => written.push(JSON.parse(line)) });
  const request = { method: 'POST', url: '/api/reset?token=secret', socket: { remoteAddress: '192.0.2.1' } };
  const response = Object.assign(new EventEmitter(), { statusCode, writableFinished: hasResponse });
  const done = jest.fn();
  const hook = requestLogging(logger) as unknown as (request: object, reply: object, done: () => void) => void;
  hook({ raw: request }, { raw: response }, done);
  expect(done).toHaveBeenCalledTimes(1);
  expect(written).toEqual([]);
  response.emit('close');
  return written;
}

it('logs 4xx as info and 5xx as error, with method, path and sender, but never the query, and omits successes', () => {
  expect(linesOf(200)).toEqual([]);
  const [line] = linesOf(403);
  expect(line).toMatchObject({ level: 30, res: { statusCode: 403 }, msg: 'request completed' });
  expect(line?.req).toMatchObject({ method: 'POST', path: '/api/reset', remoteAddress: '192.0.2.1' });
  expect(JSON.stringify(line)).not.toContain('secret');
  expect(linesOf(500)).toMatchObject([{ level: 50, res: { statusCode: 500 } }]);
  expect(linesOf(400, { hasResponse: false })).toMatchObject([{ msg: 'request aborted' }]);
});
