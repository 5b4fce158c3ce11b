import { noteSigner, signedNote } from '../../api/src/features/receipts/signed-note.js';
import type { LedgerEventProof, LedgerProofFile } from '../../contracts/http/receipts.js';
import { CHAIN_START, chainAfter } from '../../domain/ledger/chain.js';
import { checkProofFile, reportProofFile } from './proof-file.js';

const signer = noteSigner('play.example/ledger', Buffer.alloc(32, 1));
const KEY = signer.verifierKey;

function eventProof(revision: number, type: string, data: object): LedgerEventProof {
  const chainBefore = revision === 0 ? CHAIN_START : 'ab'.repeat(32);
  const actor = { id: 'g1', role: 'gamer' } as const;
  const metadata = {
    commandId: `c${revision}`,
    commandHash: 'cd'.repeat(32),
    actor,
    at: 1_767_268_800_000 + revision,
    schema: 1,
  };
  const id = `00000000-0000-4000-8000-00000000000${revision}`;
  const chain = chainAfter(chainBefore, id, { type, data } as never, metadata);
  const recorded = {
    id,
    stream: 'ledger',
    revision,
    position: '1',
    type,
    data: { ...data },
    metadata: { ...metadata, chain },
  };
  return { chainBefore, recorded };
}

function headOf({ recorded }: LedgerEventProof): string {
  const chain = Buffer.from(recorded.metadata.chain as string, 'hex').toString('base64');
  return signedNote(`play.example/ledger\n${recorded.revision + 1}\n${chain}\ntime T\n`, [signer]);
}

/** A purchase, which wins. */
function proofFile(): LedgerProofFile {
  const bought = { purchaseId: 'p2', roundId: 7, buyerId: 'g1', quantity: 2, note: 'ünïcode \u2028' };
  const event = eventProof(4, 'TokenPurchased', bought);
  const at = event.recorded.metadata.at as number;
  const winner = { gamerId: 'g1', purchaseId: 'p2' };
  const end = eventProof(8, 'RoundEnded', { roundId: 7, winner, jackpotCents: 39 });
  const { id: eventId, metadata } = event.recorded;
  const receipt = {
    ...{ purchaseId: 'p2', roundId: 7, quantity: 2, receivedAtEpochMs: at, revision: 4 },
    ...{ eventId, chain: metadata.chain as string },
  };
  return {
    format: 'omni-jackpot proof 1',
    key: KEY,
    receipt,
    event,
    checkpoint: headOf(event),
    roundEnd: { event: end, checkpoint: headOf(end) },
  };
}

const check = (change: (proof: LedgerProofFile) => void = () => {}, key?: string) => {
  const proof = proofFile();
  change(proof);
  return checkProofFile(JSON.stringify(proof), key);
};

it('finds a true proof right: event, signed head, receipt and winner', () => {
  const { holds, findings } = check();
  expect(findings).toEqual([]);
  expect(holds).toHaveLength(6);
  expect(holds.at(-1)).toBe('round 7 was won by g1 with purchase p2, 39 cents');
});

it('checks a purchase whose round has not ended, and a round’s end alone', () => {
  const open = check((proof) => Object.assign(proof, { roundEnd: null }));
  expect(open).toMatchObject({ findings: [], holds: { length: 3 } });
  const { roundEnd } = proofFile();
  const end = check((proof) => Object.assign(proof, { ...roundEnd, receipt: null, roundEnd: null }));
  expect(end).toMatchObject({ findings: [], holds: { length: 3 } });
});

it.each<[string, (proof: LedgerProofFile) => void, string]>([
  ['another buyer', ({ event }) => Object.assign(event.recorded.data, { buyerId: 'g9' }), 'but computes to'],
  ['another time', ({ event }) => Object.assign(event.recorded.metadata, { at: 1 }), 'but computes to'],
  [
    'a note beside the time',
    ({ event }) => Object.assign(event.recorded.metadata, { note: 'x' }),
    'that no event may have',
  ],
  ['another history before it', ({ event }) => Object.assign(event, { chainBefore: CHAIN_START }), 'but computes to'],
  ['a head of another size', (proof) => (proof.checkpoint = proof.roundEnd?.checkpoint ?? ''), 'is of 9 events'],
  [
    'a head that was changed',
    (proof) => (proof.checkpoint = proof.checkpoint.replace('time T', 'time U')),
    'signature is wrong',
  ],
  ['a head without a signature', (proof) => (proof.checkpoint = 'x'), 'not signed by the key'],
  [
    'a receipt with another chain',
    ({ receipt }) => Object.assign(receipt!, { chain: 'f'.repeat(64) }),
    'receipt’s chain',
  ],
  [
    'a receipt of more tokens',
    ({ receipt }) => Object.assign(receipt!, { quantity: 3 }),
    'receipt’s quantity is 3, but 2',
  ],
  [
    'another winner',
    ({ roundEnd }) => Object.assign(roundEnd!.event.recorded.data, { winner: null }),
    'but computes to',
  ],
])('finds %s', (_, change, says) => {
  expect(check(change).findings.join('\n')).toContain(says);
});

it('trusts the given key and not the one in the file', () => {
  const other = noteSigner('play.example/ledger', Buffer.alloc(32, 2)).verifierKey;
  expect(check(undefined, KEY).findings).toEqual([]);
  expect(check(undefined, other).findings[0]).toContain('it is not signed by the key');
  expect(check(undefined, 'no key').findings[0]).toContain('is no public key');
});

it('refuses a file that is no proof', () => {
  expect(() => checkProofFile('{"format":"another"}')).toThrow('no proof');
});

it('prints what holds, the key, and whether all is right', () => {
  const lines: string[] = [];
  expect(reportProofFile(JSON.stringify(proofFile()), undefined, (line) => lines.push(line))).toBe(true);
  expect(lines.slice(-3)).toEqual([
    `Checked with the key ${KEY}.`,
    'It is the key in the file: compare it with the one that the operator has published.',
    'Everything is as it must be.',
  ]);
});
