import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ENCRYPTED_PREFIX, posesAsEncrypted } from '../../../contracts/encrypted-text.js';
import { CALLBACK_PATH } from '../platform/config.js';
import { Refused } from '../platform/failures.js';

const BODY_LIMIT_BYTES = 100 * 1024;
/** Too short for dangerous nesting. */
const SHORT_LENGTH = 1_000;
/** Parts of a text that needs the reviver. An escape may write any of them. */
const SUSPICIOUS = ['\\u', ENCRYPTED_PREFIX, 'constructor'];
const JSON_TYPE = /^application\/json\s*(?:$|;)/i;
const UTF_8 = /^[^;]*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Parses JSON bodies only: a page of another site cannot send JSON without a CORS preflight. */
export function parseBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', refuseUnreadableHeads);
  fastify.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES } as const;
  fastify.addContentTypeParser('*', options, async (request: FastifyRequest, body: Buffer) => parse(request, body));
}

function parse({ route, headers }: FastifyRequest, body: Buffer): unknown {
  // The payment gateway signs the bytes of its callbacks.
  if (route === CALLBACK_PATH) return body;
  const type = headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type)) return undefined;
  if (!UTF_8.test(type) || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refused('unreadable-request');
  return body.length === 0 ? {} : parseJson(body.toString());
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    // A reviver is slow. Only escapes, the mark of encrypted texts and deep nesting need it.
    const isHarmless = text.length < SHORT_LENGTH && !SUSPICIOUS.some((part) => text.includes(part));
    value = JSON.parse(text, isHarmless ? undefined : refuseTexts);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('invalid-json');
  }
  if (typeof value !== 'object' || value === null) throw new Refused('invalid-json');
  return value;
}

/** NUL cannot be stored in Postgres, half of a surrogate pair cannot be encoded in UTF-8; no keyboard types either. */
const isUnwritable = (text: string): boolean => text.includes('\0') || /\p{Surrogate}/u.test(text);

/** A reviver: throws on a text that cannot be stored or poses as encrypted; leaves out what class-transformer takes for a class. */
function refuseTexts(key: string, value: unknown): unknown {
  if (key === 'constructor') return undefined;
  if (isUnwritable(key) || (typeof value === 'string' && isUnwritable(value))) throw new Refused('unwritable-text');
  if (typeof value === 'string' && posesAsEncrypted(value)) throw new Refused('reserved-text');
  return value;
}

/** In a URL only NUL is possible: decoding replaces broken surrogate pairs. With two Host headers, a proxy may have routed by the other one. */
function refuseUnreadableHeads(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (request.url.includes('%00')) done(new Refused('unwritable-text'));
  else done(hasTwoHosts(request.raw) ? new Refused('unreadable-request') : undefined);
}

export const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
