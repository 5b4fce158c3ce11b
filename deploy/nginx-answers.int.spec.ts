/* The answers that nginx makes itself have the headers that protect a browser, and there is no way around TLS. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as overHttp, type Server } from 'node:http';
import { request as overHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';
import { nginxArguments, nginxFolder } from './testing/nginx.js';

const OWN = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
const NODES = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'self'",
  'referrer-policy': 'same-origin',
  'strict-transport-security': 'max-age=1',
};

describeWith('nginx', 'nginx-light')('an answer that nginx makes itself', () => {
  const certificates = mkdtempSync(join(tmpdir(), 'omni-certificates-'));
  let configuration: string;
  let nginx: ChildProcess;
  let node: Server;
  let plainPort: number;
  let port: number;

  beforeAll(async () => {
    chmodSync(certificates, 0o755);
    const files = ['-keyout', join(certificates, 'privkey.pem'), '-out', join(certificates, 'fullchain.pem')];
    const certificate = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    execFileSync('openssl', [...certificate, ...files], { stdio: 'ignore' });
    node = createServer((_request, response) => response.writeHead(200, NODES).end('a node'));
    await once(node.listen(0, '127.0.0.1'), 'listening');
    const address = `127.0.0.1:${(node.address() as AddressInfo).port}`;
    [plainPort, port] = [await anyFreePort(), await anyFreePort()];
    const listen = textOf('deploy/tls/listen.conf')
      .replaceAll('/etc/nginx/certificates', certificates)
      .replaceAll(/^listen \[::\].*\n/gm, '')
      .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`);
    configuration = nginxFolder({ nodes: [address, address], listen });
    nginx = spawn('nginx', nginxArguments(configuration), { stdio: 'ignore' });
    while (nginx.exitCode === null && (await answer('GET').catch(() => null)) === null) await sleep(50);
  });
  afterAll(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await ended;
    node.close();
    for (const folder of [certificates, dirname(configuration)]) rmSync(folder, { recursive: true, force: true });
  });

  async function answer(method: string, { isHttps = true } = {}) {
    const options = { host: '127.0.0.1', method, path: '/api/login', rejectUnauthorized: false };
    const sent = isHttps ? overHttps({ ...options, port }) : overHttp({ ...options, port: plainPort });
    const [response] = await once(sent.end(), 'response');
    response.resume();
    return { status: response.statusCode as number, headers: response.headers as Record<string, string> };
  }

  it('over http sends a visit on to https, and refuses what could have a body', async () => {
    const visit = await answer('GET', { isHttps: false });
    expect(visit).toMatchObject({ status: 308, headers: { ...OWN, location: 'https://127.0.0.1/api/login' } });
    expect(visit.headers).not.toHaveProperty('strict-transport-security');
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await answer(method, { isHttps: false })).toMatchObject({ status: 403, headers: OWN });
  });

  it('has the headers that protect a browser; a node’s own headers stay as they are', async () => {
    expect(await answer('GET')).toMatchObject({ status: 200, headers: NODES });
    await new Promise((closed) => node.close(closed));
    const headers = { ...OWN, 'strict-transport-security': 'max-age=31536000' };
    expect(await answer('POST')).toMatchObject({ status: 502, headers });
  });

  it('uses TLS 1.2 only with forward secrecy and authenticated encryption', async () => {
    const handshake = async (ciphers: string) => {
      const socket = connect({ port, host: '127.0.0.1', maxVersion: 'TLSv1.2', ciphers, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { name } = socket.getCipher();
      socket.destroy();
      return name;
    };
    expect(await handshake('ECDHE-RSA-AES128-GCM-SHA256')).toBe('ECDHE-RSA-AES128-GCM-SHA256');
    for (const weak of ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA']) await expect(handshake(weak)).rejects.toThrow();
  });
});
