import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../postgres/free-port.js';
import { PortClaims } from './port-claims.js';

const HOST = '127.0.0.1';

let folder: string;
let first: PortClaims;
let second: PortClaims;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omni ports '));
  [first, second] = [new PortClaims(folder), new PortClaims(folder)];
});
afterEach(() => rmSync(folder, { recursive: true }));

it('gives two launchers different ports before anything listens on them, until one has ended or was killed', async () => {
  const port = await anyFreePort();
  const chosen = await Promise.all([first.next(port, HOST), second.next(port, HOST)]);
  expect(new Set(chosen).size).toBe(2);
  expect(await second.claim(chosen[0]!, HOST)).toBe(false);
  await first.release();
  await second.release();
  expect(await second.claim(chosen[0]!, HOST)).toBe(true);
  await second.release();
  writeFileSync(join(folder, String(port)), '{"pid":999999999,"startedAt":"long ago"}');
  expect(await first.claim(port, HOST)).toBe(true);
});

it('skips a port on which another program listens', async () => {
  const port = await anyFreePort();
  const occupant = createServer().listen(port, HOST);
  await once(occupant, 'listening');
  expect(await first.claim(port, HOST)).toBe(false);
  expect(await first.next(port, HOST)).toBeGreaterThan(port);
  occupant.close();
});
