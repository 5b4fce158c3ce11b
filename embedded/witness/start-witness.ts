import { isUtf8 } from 'node:buffer';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import fastify from 'fastify';
import { parseVerifierKey } from '../../contracts/transparency/signed-note.js';
import { lockFolder } from '../postgres/folder-lock.js';
import { LOOPBACK, reachableHost } from '../shared/stand-in-process.js';
import { type HttpResponse, Witness } from './witness.js';

export interface WitnessOptions {
  /** 127.0.0.1 when absent. */
  host?: string;
  port?: number;
  /** Has the key and the newest heads; created when absent. */
  stateFile: string;
  /** Public keys of the logs ("name+id+base64"). */
  logKeys: readonly string[];
  now?: () => number;
}

/** The largest head has 200 kB, and a proof 3 kB. */
const BODY_LIMIT_BYTES = 256 * 1024;

export async function startWitness(options: WitnessOptions) {
  const { host = LOOPBACK, port = 0, stateFile, logKeys, now } = options;
  const lock = await lockFolder(dirname(stateFile), `${basename(stateFile)}.lock`);
  const witness = await Witness.open(stateFile, await Promise.all(logKeys.map(parseVerifierKey)), now);
  const app = fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true });
  // The protocol names no type of the request, so any is taken.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ headers }) => {
    headers['content-type'] = 'application/octet-stream';
  });
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) console.error(`${request.method} ${request.url} failed:`, error);
    return reply
      .code(statusCode)
      .type('text/plain; charset=utf-8')
      .send(statusCode >= 500 ? 'It failed.\n' : `${error.message}\n`);
  });
  app.post('/add-checkpoint', async ({ body }, reply) => {
    const { status, body: text, contentType }: HttpResponse = await witness.addCheckpoint(textOf(body));
    // Sent as bytes, to which Fastify adds no charset.
    return reply
      .code(status)
      .type(contentType ?? 'text/plain; charset=utf-8')
      .send(Buffer.from(text));
  });
  await app.listen({ host, port });
  const url = `http://${reachableHost(host)}:${(app.server.address() as AddressInfo).port}`;
  return { url, policyLine: witness.policyLine(url), witness, close: () => app.close().then(() => lock.release()) };
}

/** Empty, which is not a valid request, when the bytes are not UTF-8. */
const textOf = (body: unknown): string => (Buffer.isBuffer(body) && isUtf8(body) ? body.toString('utf8') : '');
