import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnreadableResponse } from '../bounded-response.js';
import { headText } from '../transparency/signed-head.js';
import { createSigner, ED25519, type Signer, signatureLine, toBase64 } from '../transparency/signed-note.js';
import {
  type Bytes,
  consistencyProof,
  parseTilePath,
  type ReadTile,
  rootOf,
  type Tile,
  tileWidth,
} from '../transparency/tree.js';

import { leafOf, sha256, treeHash } from './rfc6962.js';

export const ORIGIN = 'play.example/ledger';

/** @param byte of the key's seed */
export const signerOf = (byte: number, name = ORIGIN): Promise<Signer> =>
  createSigner(name, ED25519, new Uint8Array(32).fill(byte));

/** A log in memory. */
export class TestLog {
  /** Hashes of perfect subtrees of 256^level entries, by level. */
  private readonly levels: Buffer[][] = [[]];

  /** @param signer the one in force */
  private constructor(
    readonly origin: string,
    readonly signer: Signer,
    private readonly others: readonly Signer[],
    readonly entries: Buffer[],
  ) {}

  /** @param entries their number, or themselves */
  static async create(entries: number | readonly Buffer[], origin = ORIGIN, signers: readonly Signer[] = []) {
    const [signer = await signerOf(1, origin), ...others] = signers;
    const log = new TestLog(origin, signer, others, []);
    const given = typeof entries === 'number' ? Array.from({ length: entries }, (_, at) => entryOf(at)) : entries;
    for (const entry of given) log.add(entry);
    return log;
  }

  /** The same site's log with one entry less, and all later ones in its place. */
  fork(dropped: number): Promise<TestLog> {
    return TestLog.create(this.entries.toSpliced(dropped, 1), this.origin);
  }

  add(entry: Buffer = entryOf(this.entries.length)): void {
    this.entries.push(entry);
    this.levels[0]?.push(leafOf(entry));
    for (let level = 0; (this.levels[level]?.length ?? 0) % 256 === 0; level += 1) {
      this.levels[level + 1] ??= [];
      this.levels[level + 1]?.push(treeHash(this.levels[level]?.slice(-256) ?? []));
    }
  }

  readonly readTile: ReadTile = async ({ level, index, width }) => {
    if (tileWidth(level, index, this.entries.length) < width) throw new UnreadableResponse('answered with 404', 404);
    return new Uint8Array(Buffer.concat(this.levels[level as number]?.slice(index * 256, index * 256 + width) ?? []));
  };

  /** The signed head of the first `size` entries. */
  readonly head = async (size = this.entries.length): Promise<string> => {
    const text = headText(this.origin, { size, root: await rootOf(size, this.readTile) });
    const lines = await Promise.all([this.signer, ...this.others].map((signer) => signatureLine(signer, text)));
    return `${text}\n${lines.join('')}`;
  };

  /** The body of a request to add-checkpoint. */
  async request(oldSize: number, size = this.entries.length, head?: string): Promise<string> {
    const proof = await consistencyProof(oldSize, size, this.readTile);
    return `${[`old ${oldSize}`, ...proof.map(toBase64)].join('\n')}\n\n${head ?? (await this.head(size))}`;
  }

  /** Null for a path that it does not have. */
  async file(path: string): Promise<string | Bytes | null> {
    if (path === 'checkpoint') return this.head();
    const tile = parseTilePath(path);
    if (!tile || tileWidth(tile.level, tile.index, this.entries.length) < tile.width) return null;
    return tile.level === 'entries' ? this.bundle(tile) : this.readTile(tile);
  }

  private bundle({ index, width }: Tile): Bytes {
    const entries = this.entries.slice(index * 256, index * 256 + width);
    const lengths = entries.map(({ length }) => Buffer.of(length >> 8, length & 255));
    return new Uint8Array(Buffer.concat(entries.flatMap((entry, at) => [lengths[at] as Buffer, entry])));
  }
}

const entryOf = (index: number): Buffer => sha256(Buffer.from(`entry ${index}`));

/** A site that may show another log, or withhold files. */
export interface TestSite {
  url: string;
  log: TestLog;
  isWithheld(path: string): boolean;
  close(): void;
}

/** Serves the log below `/log`, and its key as a site of ours does. */
export async function serveLog(log: TestLog): Promise<TestSite> {
  const server = createServer(async ({ url = '' }, response) => {
    if (url === '/api/ledger/key')
      return void response.end(JSON.stringify({ keys: [site.log.signer.key.text], losses: [] }));
    const path = url.replace(/^\/log\//, '');
    const file = site.isWithheld(path) ? null : await site.log.file(path);
    response.writeHead(file === null ? 404 : 200).end(file ?? 'Not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const site: TestSite = { url: `http://127.0.0.1:${port}`, log, isWithheld: () => false, close };
  return site;
}
