import { hash } from 'node:crypto';
import pRetry from 'p-retry';
import { UnreadableResponse } from '../../contracts/bounded-response.js';
import type { LedgerKeys } from '../../contracts/http/receipts.js';
import { fetchHead, fetchTile, logPrefix } from '../../contracts/transparency/log-client.js';
import { parseSignedHead, type SignedHead } from '../../contracts/transparency/signed-head.js';
import { hexOf, InvalidNote, parseVerifierKey } from '../../contracts/transparency/signed-note.js';
import { HASH_BYTES, TILE_WIDTH, type Tile, tilePath, tileWidth } from '../../contracts/transparency/tree.js';
import { describeLoss } from '../replay/finding.js';
import { isSignedBy, type Print, printVerdict } from './receipt.js';
import { hashOfHex, LedgerTree } from './tree.js';

/** A full bundle of the largest entries. */
const MAX_BUNDLE_BYTES = TILE_WIDTH * (2 + 65_535);
const CONCURRENCY = 8;
/** The retries take a minute, because each pause doubles. Within it a site that limits requests lets more pass. */
const RETRIES = 6;
const FIRST_RETRY_MS = 1_000;

/** `fsck ADDRESS`: checks a site's log from outside, prints each check, and returns whether all is right. */
export async function fsck(address: string, key: string | null, print: Print): Promise<boolean> {
  const check = new SiteCheck(address);
  try {
    await check.run(key);
  } catch (error) {
    if (!(error instanceof UnreadableResponse || error instanceof InvalidNote)) throw error;
    check.findings.push(error.message);
  }
  return printVerdict(print, 'checked', check.checked, check.findings);
}

class SiteCheck {
  readonly checked: string[] = [];
  readonly findings: string[] = [];
  private readonly prefix: string;
  private readonly tree = new LedgerTree();

  constructor(private readonly address: string) {
    this.prefix = logPrefix(address);
  }

  async run(key: string | null): Promise<void> {
    const head = parseSignedHead(await retried(() => fetchHead(this.prefix)));
    await this.checkSignature(head, key);
    await this.checkEntries(head.size);
    const isSame = this.tree.root === hexOf(head.root);
    if (isSame) this.checked.push(`the entries have the root ${this.tree.root}, as the head says`);
    else this.findings.push(`the entries have the root ${this.tree.root}, but the head has ${hexOf(head.root)}`);
    await this.checkLevels(head.size);
  }

  /** The site must name the key that signs; a key that the caller knows from elsewhere counts more. */
  private async checkSignature(head: SignedHead, trusted: string | null): Promise<void> {
    const response = await fetch(`${this.address.replace(/\/+$/, '')}/api/ledger/key`);
    const body = response.ok ? await response.json() : { keys: [], losses: [] };
    const { keys: named, losses } = body as LedgerKeys;
    for (const loss of losses) this.checked.push(`the site says: ${describeLoss(loss.number, loss.atMs, loss)}`);
    if (trusted !== null && !named.includes(trusted)) this.findings.push(`the site does not name the key ${trusted}`);
    const keys = await Promise.all((trusted === null ? named : [trusted]).map(parseVerifierKey));
    const by = keys.map(({ text }) => text).join(' or ');
    const what = `the head of ${head.size} events of ${head.origin}`;
    if (await isSignedBy(head, keys)) this.checked.push(`${what} is signed by ${by}`);
    else this.findings.push(`${what} is not signed by ${by || 'a key, for the site names none'}`);
    this.checked.push(`it has ${head.signatures.length - 1} further signatures`);
  }

  /** Every bundle, and the tile of level 0 beside it. */
  private async checkEntries(size: number): Promise<void> {
    const count = Math.ceil(size / TILE_WIDTH);
    for await (const entries of inOrder(count, (index) => this.fetchEntries(index, size)))
      for (const entry of entries) this.tree.add(entry.toString('hex'));
    this.checked.push(`${count} bundles of entries and ${count} tiles of level 0`);
  }

  private async fetchEntries(index: number, size: number): Promise<Buffer[]> {
    const width = tileWidth(0, index, size);
    const bundle = { level: 'entries', index, width } as const;
    const entries = entriesOf(await this.fetch(bundle, MAX_BUNDLE_BYTES), width);
    if (entries.length < width) this.findings.push(`${tilePath(bundle)} is not a bundle of ${width} entries`);
    const leaves = entries.map((entry) => hash('sha256', Buffer.concat([Buffer.of(0), entry])));
    await this.checkTile({ level: 0, index, width }, hashOfHex(leaves.join('')));
    return entries;
  }

  private async checkLevels(size: number): Promise<void> {
    const digests = this.tree.tiles();
    for (let level = 1; tileWidth(level, 0, size) > 0; level += 1) {
      const count = Math.ceil(Math.floor(size / TILE_WIDTH ** level) / TILE_WIDTH);
      const check = (index: number) =>
        this.checkTile({ level, index, width: tileWidth(level, index, size) }, digests.get(`${level}/${index}`));
      for await (const _ of inOrder(count, check));
      this.checked.push(`${count} tiles of level ${level}`);
    }
  }

  /** @param digest SHA-256 of the hashes that it must have; undefined when the entries are fewer than the head says */
  private async checkTile(tile: Tile, digest: string | undefined): Promise<void> {
    const bytes = await this.fetch(tile, TILE_WIDTH * HASH_BYTES);
    if (hash('sha256', bytes.subarray(0, tile.width * HASH_BYTES)) !== digest)
      this.findings.push(`${tilePath(tile)} has other hashes than the entries`);
  }

  /** Empty when the site does not have it, which is a finding. */
  private async fetch(tile: Tile, maxBytes: number): Promise<Buffer> {
    try {
      return Buffer.from(await retried(() => fetchTile(this.prefix, tile, maxBytes)));
    } catch (error) {
      if (!(error instanceof UnreadableResponse)) throw error;
      this.findings.push(error.message);
      return Buffer.alloc(0);
    }
  }
}

/** The first entries of a bundle, fewer than `width` when it is malformed. */
function entriesOf(bundle: Buffer, width: number): Buffer[] {
  const entries: Buffer[] = [];
  let offset = 0;
  while (entries.length < width && offset + 2 <= bundle.length) {
    const end = offset + 2 + bundle.readUInt16BE(offset);
    if (end > bundle.length) break;
    entries.push(bundle.subarray(offset + 2, end));
    offset = end;
  }
  return entries;
}

/** Yields the results of `fetchOne` in the order of the indexes. A few are fetched at a time. */
async function* inOrder<T>(count: number, fetchOne: (index: number) => Promise<T>): AsyncGenerator<T> {
  for (let first = 0; first < count; first += CONCURRENCY) {
    const indexes = Array.from({ length: Math.min(CONCURRENCY, count - first) }, (_, index) => first + index);
    yield* await Promise.all(indexes.map(fetchOne));
  }
}

const retried = <T>(fetchOne: () => Promise<T>): Promise<T> =>
  pRetry(fetchOne, {
    retries: RETRIES,
    minTimeout: FIRST_RETRY_MS,
    shouldRetry: ({ error }) =>
      error instanceof UnreadableResponse && (error.status === 429 || (error.status ?? 0) >= 500),
  });
