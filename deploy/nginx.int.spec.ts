/* nginx as in deploy/tls: its own responses' headers, no way around TLS, a new certificate without lost connections. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as overHttp, type Server } from 'node:http';
import { request as overHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { IDEMPOTENCY_KEY } from '../contracts/http/headers.js';
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
const UPGRADE = 'GET /ws/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describeWith('nginx', 'nginx-light')('nginx', () => {
  const certificates = mkdtempSync(join(tmpdir(), 'omni-certificates-'));
  const folders = [certificates];
  const sockets: TLSSocket[] = [];
  let configuration: string;
  let nginx: ChildProcess;
  /** A node of the api, which echoes on upgraded connections, as sockets are. */
  let node: Server;
  /** The node ends its next request as a killed process does, without a response. */
  let isDying = false;
  let plainPort: number;
  let port: number;

  beforeAll(async () => {
    chmodSync(certificates, 0o755);
    makeCertificate('before');
    node = createServer((request, response) => {
      if (isDying) request.socket.destroy();
      else response.writeHead(200, NODES).end('a node');
      isDying = false;
    });
    node.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    });
    await once(node.listen(0, '127.0.0.1'), 'listening');
    [plainPort, port] = [await anyFreePort(), await anyFreePort()];
    const listen = tlsListen()
      .replaceAll(/^listen \[::\].*\n/gm, '')
      .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`);
    configuration = configurationWith(listen);
    nginx = spawn('nginx', nginxArguments(configuration), { stdio: 'ignore' });
    while (nginx.exitCode === null && (await responseTo('GET').catch(() => null)) === null) await sleep(50);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    if (nginx.exitCode === null) {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
    }
    node.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function makeCertificate(name: string): void {
    const files = ['-keyout', join(certificates, 'privkey.pem'), '-out', join(certificates, 'fullchain.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
    execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
  }

  const tlsListen = (): string => textOf('deploy/tls/listen.conf').replaceAll('/etc/nginx/certificates', certificates);

  function configurationWith(listen: string): string {
    const address = `127.0.0.1:${(node.address() as AddressInfo).port}`;
    const file = nginxFolder({ nodes: [address, address], listen });
    folders.push(dirname(file));
    return file;
  }

  async function responseTo(method: string, { isHttps = true, headers = {} } = {}) {
    const options = { host: '127.0.0.1', method, path: '/api/login', rejectUnauthorized: false, headers };
    const sent = isHttps ? overHttps({ ...options, port }) : overHttp({ ...options, port: plainPort });
    const [response] = await once(sent.end(), 'response');
    response.resume();
    return { status: response.statusCode as number, headers: response.headers as Record<string, string> };
  }

  async function open(ciphers?: string): Promise<TLSSocket> {
    const version = ciphers === undefined ? {} : { maxVersion: 'TLSv1.2' as const, ciphers };
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...version });
    sockets.push(socket);
    await once(socket, 'secureConnect');
    return socket;
  }

  async function echo(socket: TLSSocket, text: string): Promise<string> {
    socket.write(text);
    const [response] = await once(socket, 'data');
    return String(response);
  }

  it.each([
    ['without TLS', () => textOf('deploy/nginx/listen.conf')],
    ['with TLS', tlsListen],
  ])('accepts the configuration %s', (_, listen) => {
    const { stderr } = spawnSync('nginx', ['-t', '-q', ...nginxArguments(configurationWith(listen()))]);
    expect(String(stderr)).toBe('');
  });

  it('over http sends a visit on to https, and refuses what could have a body', async () => {
    const visit = await responseTo('GET', { isHttps: false });
    expect(visit).toMatchObject({ status: 308, headers: { ...OWN, location: 'https://127.0.0.1/api/login' } });
    expect(visit.headers).not.toHaveProperty('strict-transport-security');
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await responseTo(method, { isHttps: false })).toMatchObject({ status: 403, headers: OWN });
  });

  it('uses TLS 1.2 only with forward secrecy and authenticated encryption', async () => {
    const strong = 'ECDHE-RSA-AES128-GCM-SHA256';
    expect((await open(strong)).getCipher().name).toBe(strong);
    for (const weak of ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA']) await expect(open(weak)).rejects.toThrow();
  });

  it('uses a new certificate for new connections after the page’s reload; an open socket stays', async () => {
    const certificateName = async () => (await open()).getPeerCertificate().subject.CN;
    const gamer = await open();
    expect(await echo(gamer, UPGRADE)).toContain('101 Switching Protocols');
    makeCertificate('after');
    expect(await certificateName()).toBe('before');
    const [command = ''] = /nginx -s reload/.exec(textOf('docs/operations.md')) ?? [];
    const [program = '', ...args] = command.split(' ');
    execFileSync(program, [...args, ...nginxArguments(configuration)]);
    while ((await certificateName()) !== 'after') await sleep(50);
    expect(await echo(gamer, 'after the reload')).toBe('after the reload');
    expect(readFileSync(`${configuration}.pid`, 'utf8').trim()).toBe(String(nginx.pid));
  });

  it('sends a request of a killed node to the other node only if it has an idempotency key', async () => {
    isDying = true;
    expect(await responseTo('POST', { headers: { [IDEMPOTENCY_KEY]: randomUUID() } })).toMatchObject({ status: 200 });
    isDying = true;
    expect(await responseTo('POST')).toMatchObject({ status: 502 });
    // Wait until nginx tries a failed node again.
    while ((await responseTo('GET')).status !== 200) await sleep(100);
  });

  it('answers for a node that is down with its own headers, and leaves a node’s headers as they are', async () => {
    expect(await responseTo('GET')).toMatchObject({ status: 200, headers: NODES });
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => node.close(closed));
    const headers = { ...OWN, 'strict-transport-security': 'max-age=31536000' };
    expect(await responseTo('POST')).toMatchObject({ status: 502, headers });
  });
});
