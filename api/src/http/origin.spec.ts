import type { IncomingMessage } from 'node:http';
import { isAllowedOrigin } from './security-headers.js';

const from = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;
const OURS = ['https://play.example'];

it.each([
  ['our page', { origin: 'https://play.example' }, OURS, true],
  ['another page', { origin: 'https://evil.example' }, OURS, false],
  ['our name without https', { origin: 'http://play.example' }, OURS, false],
  ['a sandboxed frame', { origin: 'null' }, OURS, false],
  ['a program', {}, OURS, true],
  ['our page in an old browser', { 'sec-fetch-site': 'same-origin' }, OURS, true],
  ['another site, without Origin', { 'sec-fetch-site': 'cross-site' }, OURS, false],
  ['a sister domain, without Origin', { 'sec-fetch-site': 'same-site' }, OURS, false],
  ['the request’s host', { origin: 'http://localhost:3000', host: 'localhost:3000' }, [], true],
  ['another port of it', { origin: 'http://localhost:4000', host: 'localhost:3000' }, [], false],
  ['the request’s host, when others are listed', { origin: 'http://10.0.0.1', host: '10.0.0.1' }, OURS, false],
])('decides whether a request of %s is of an allowed origin', (_who, headers, allowed, isAllowed) => {
  expect(isAllowedOrigin(from(headers as Record<string, string>), allowed)).toBe(isAllowed);
});
