import { setImmediate as nextTick } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LedgerState } from '../../../domain/ledger-state.js';
import { snapshotText, stateOfSnapshot } from '../../../domain/snapshot-text.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The state of the moment it is called at, as compressed text, made a part at a time beside everything else. */
export async function packState(state: LedgerState): Promise<Buffer> {
  const parts: string[] = [];
  for (const part of snapshotText(state)) {
    parts.push(part);
    await nextTick();
  }
  return compress(parts.join(''));
}

export async function unpackState(packed: Buffer): Promise<LedgerState> {
  return stateOfSnapshot((await decompress(packed)).toString('utf8'));
}
