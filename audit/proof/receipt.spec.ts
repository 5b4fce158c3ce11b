import type { ProofExtra } from '../../contracts/transparency/proof-file.js';
import { signatureLine } from '../../contracts/transparency/signed-note.js';
import { type LatePurchase, refusalNoteText } from '../../contracts/transparency/signed-refusal.js';
import { FIRST_CHAIN } from '../replay/chain.js';
import { honest } from '../testing/forgeries.js';
import { rechained } from '../testing/histories.js';
import { logOf, policyText, proofOf } from '../testing/proofs.js';
import { checkProof, checkRefusal } from './receipt.js';

const events = honest();
const purchase = events.findIndex(({ event }) => event.type === 'TokenPurchased');
const end = events.findIndex(({ event }) => event.type === 'RoundEnded');

const KEY = logOf([]).then(({ signer }) => signer.key.text);
const check = async (proof: string, key: string | null = null, policy: string | null = null) =>
  checkProof(proof, { key: key ?? (await KEY), policy: policy ?? (await policyText()) });

it('finds a purchase, its signature and its witness right, in every size that has it', async () => {
  for (const size of [purchase + 1, purchase + 2, events.length]) {
    const { holds, findings } = await check(await proofOf(events, purchase, { size }));
    expect(findings).toEqual([]);
    expect(holds).toEqual([
      expect.stringContaining(`TokenPurchased is event ${purchase + 1} of ${size} in play.example/ledger`),
      `play.example/ledger signed the head of ${size} events`,
      'cosigned by one: enough for the policy',
      expect.stringContaining('bob bought 2 for $0.60 in round 1'),
    ]);
  }
});

it('finds that nobody bought between the winner and the end', async () => {
  const { holds, findings } = await check(await proofOf(events, end));
  expect(findings).toEqual([]);
  expect(holds.at(-1)).toMatch(
    /^carol won round 1 with purchase \w+, \$\d\.\d\d: nobody bought between it and the end$/,
  );
});

type ShownEvent = { type: string; data: Record<string, unknown>; metadata: Record<string, unknown> };

/** The proof with other events in it. */
function changed(proof: string, change: (extra: ProofExtra & { events: ShownEvent[] }) => void): string {
  const [, line = ''] = proof.split('\n');
  const extra = JSON.parse(Buffer.from(line.slice('extra '.length), 'base64').toString());
  change(extra);
  return proof.replace(line, `extra ${Buffer.from(JSON.stringify(extra)).toString('base64')}`);
}

const changesFirst =
  (part: 'data' | 'metadata', other: object) =>
  ({ events: [one] }: { events: ShownEvent[] }) =>
    Object.assign(one?.[part] ?? {}, other);

it.each<[string, number, (extra: { chainBefore: string; events: ShownEvent[] }) => unknown, string]>([
  ['another buyer', purchase, changesFirst('data', { buyerId: 'erin' }), 'is not event'],
  ['another time', purchase, changesFirst('metadata', { at: 1 }), 'is not event'],
  ['a note beside the time', purchase, changesFirst('metadata', { note: '' }), 'metadata'],
  ['a chain of its own', purchase, changesFirst('metadata', { chain: '' }), 'metadata'],
  ['another history before it', purchase, (extra) => Object.assign(extra, { chainBefore: FIRST_CHAIN }), 'not event'],
  ['another winner', end, ({ events: all }) => Object.assign(all.at(-1)?.data ?? {}, { winner: null }), 'is not event'],
  ['a hidden purchase', end, ({ events: all }) => Object.assign(all[2] ?? {}, { type: 'LimitsSet' }), 'is not event'],
])('finds %s', async (_, index, change, message) => {
  const { findings } = await check(changed(await proofOf(events, index), change));
  expect(findings.join('\n')).toContain(message);
});

it('finds an end that does not show the winner’s purchase as the last one', async () => {
  const others = structuredClone(events);
  // The operator names the buyer before the last one, and computes all hashes for it.
  const ended = others[end]?.event.data as { winner: object };
  ended.winner = { gamerId: 'bob', purchaseId: 'p1' };
  const { findings } = await check(await proofOf(rechained(others), end));
  expect(findings).toEqual([expect.stringMatching(/does not show that purchase \w+ was the last of round 1/)]);
});

it('trusts only the given key and policy', async () => {
  const proof = await proofOf(events, purchase);
  const other = (await KEY).replace(/\+.*/, '+0a50be42+AZTdBhHUO/NHHx7ukO8p5n7nsOTPJpFhLISMhD28MZhF');
  await expect(check(proof, other)).rejects.toThrow('not a public key');
  const policy = `log ${await KEY}\n${await policyText()}`;
  expect((await checkProof(proof, { key: null, policy })).findings).toEqual([]);
  expect((await checkProof(proof, { key: null, policy: null })).findings).toEqual([
    expect.stringContaining('the signature was not checked'),
  ]);
  const unwitnessed = proof.replace(/— witness.*\n/, '');
  expect((await check(unwitnessed)).findings).toEqual([
    'cosigned by no witness of the policy: not enough for the policy',
  ]);
  await expect(check('{}')).rejects.toThrow('not a proof');
});

const ended = events[end]?.event as { data: { roundId: number; endedAtMs: number } };
const { roundId, endedAtMs } = ended.data;
const late: LatePurchase = {
  roundId,
  gamerId: 'bob',
  quantity: 2,
  receivedAtEpochMs: endedAtMs + 41,
  endedAtMs,
  ledgerSize: end + 1,
  commandId: 'press-1',
};
const SIGNER = logOf([]).then(({ signer }) => signer);

async function signed(changes: Partial<LatePurchase> = {}): Promise<string> {
  const signer = await SIGNER;
  const text = refusalNoteText(signer.key.name, { ...late, ...changes });
  return `${text}\n${await signatureLine(signer, text)}`;
}

async function checkLate(text: string, roundEnd: string | null = null) {
  const { key } = await SIGNER;
  return checkRefusal(text, { key: key.text, policy: null }, roundEnd);
}

it('finds a purchase that came 41 ms late rightly refused, and the round’s end as the ledger has it', async () => {
  const { holds, findings } = await checkLate(await signed(), await proofOf(events, end));
  expect(findings).toEqual([]);
  expect(holds).toEqual([
    'play.example/ledger signed the refusal',
    expect.stringMatching(/^bob's purchase of 2 \(command press-1\) arrived at .+Z, 41 ms after the end of round 1/),
    'the ledger has that end of round 1',
  ]);
});

it.each<[string, Partial<LatePurchase>, string]>([
  ['came in time, by its own words', { receivedAtEpochMs: endedAtMs - 1 }, '1 ms BEFORE the end'],
  ['names an earlier end than the ledger', { endedAtMs: endedAtMs - 500 }, 'ended at'],
  ['is of another round', { roundId: 9 }, 'the proof is not of the end of round 9'],
])('convicts the operator by a refusal that %s', async (_, changes, message) => {
  const { findings } = await checkLate(await signed(changes), await proofOf(events, end));
  expect(findings).toEqual([expect.stringContaining(message)]);
});

it('finds a wrong proof of the round’s end', async () => {
  const wrong = (await proofOf(events, end)).replace(/index \d+/, 'index 1');
  expect((await checkLate(await signed(), wrong)).findings.join()).toContain('the proof of the round');
});

it('does not hold after any character of it was changed', async () => {
  const text = await signed();
  for (let index = 0; index < text.length; index += 1) {
    const other = text[index] === '1' ? '2' : '1';
    const outcome = await checkLate(text.slice(0, index) + other + text.slice(index + 1)).catch(() => ({
      findings: ['malformed'],
    }));
    if (outcome.findings.length === 0) throw new Error(`${index}: ${text.slice(index - 20, index + 20)}`);
  }
});
