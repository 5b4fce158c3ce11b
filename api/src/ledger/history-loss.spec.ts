import { nameAfterLoss } from '../../../contracts/transparency/signed-head.js';
import { ScriptedLine } from '../../test/faulty-log.js';
import { LedgerNode } from '../../test/ledger-node.js';
import { replaceTimers } from '../../test/simulator/globals.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { LedgerSigners } from '../features/receipts/ledger-signers.js';
import { findLoss } from './history-loss.store.js';

const NAME = 'play.example/ledger';
const LOST = { signedOrigin: NAME, signedSize: 90, signedRoot: 'c0ffee11'.repeat(8) };
const time = new VirtualTime(1_800_000_000_000);
let node: LedgerNode;

let restoreTimers: () => void;

beforeEach(async () => {
  restoreTimers = replaceTimers(time);
  node = await new LedgerNode(new StreamsInMemory(), new ScriptedLine(), time).start();
});

afterEach(() => restoreTimers());

const acceptLoss = () => node.do({ type: 'AcceptLoss', signed: LOST, acceptedBy: 'Ada', reason: 'a lost disk' });

/** The fault that a node with a log of at most one event finds by the last signed head. */
async function foundWith(origin: string, size: number, root = new Uint8Array(32)): Promise<string | null> {
  const signers = new LedgerSigners({ ledgerName: origin, ledgerSigningSecrets: ['a secret of some length'] });
  const note = await signers.sign({ size, root });
  const query = async () => ({ rows: [{ note, signedAt: new Date(0) }] });
  return time.until(findLoss({ query } as never, node.ledger, NAME));
}

it('finds nothing before the first head is signed', async () => {
  const query = async () => ({ rows: [] });
  expect(await time.until(findLoss({ query } as never, node.ledger, NAME))).toBeNull();
});

it('finds a log that ends before the last signed head, until its loss is accepted', async () => {
  expect(await foundWith(NAME, 0)).toBeNull();
  const root = Buffer.from(LOST.signedRoot, 'hex');
  expect(await foundWith(NAME, 90, root)).toMatch(/^the log has 0 events, but a head of 90 events was signed 1970-/);
  await acceptLoss();
  expect(await foundWith(NAME, 90, root)).toBeNull();
  expect(await foundWith(NAME, 91)).toMatch(/^the log has 1 events, but a head of 91/);
});

it('detects a log restored from before a loss, after which a head was signed', async () => {
  const name = nameAfterLoss(NAME, LOST.signedRoot);
  expect(name).toBe('play.example/ledger-c0ffee11');
  expect(await foundWith(name, 0)).toMatch(/play\.example\/ledger-c0ffee11, as the log is called after a loss/);
  await acceptLoss();
  expect(await foundWith(name, 1)).toBeNull();
  for (const other of [`${NAME}-practice`, `${NAME}-c0ffee12-practice`, 'other.example/ledger-c0ffee12'])
    expect(await foundWith(other, 1)).toBeNull();
});
