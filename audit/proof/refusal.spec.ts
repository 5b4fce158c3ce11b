import { signatureLine } from '../../contracts/transparency/signed-note.js';
import { type LatePurchase, refusalNoteText } from '../../contracts/transparency/signed-refusal.js';
import { honest } from '../testing/forgeries.js';
import { logOf, proofOf } from '../testing/proofs.js';
import { checkRefusal } from './refusal.js';

const events = honest();
const endedAt = events.findIndex(({ event }) => event.type === 'RoundEnded');
const ended = events[endedAt]?.event as { data: { roundId: number; endedAtEpochMs: number } };
const { roundId, endedAtEpochMs } = ended.data;
const late: LatePurchase = {
  roundId,
  gamerId: 'bob',
  quantity: 2,
  receivedAtEpochMs: endedAtEpochMs + 41,
  endedAtEpochMs,
  ledgerSize: endedAt + 1,
  commandId: 'press-1',
};
const SIGNER = logOf([]).then(({ signer }) => signer);

async function signed(changes: Partial<LatePurchase> = {}): Promise<string> {
  const signer = await SIGNER;
  const text = refusalNoteText(signer.key.name, { ...late, ...changes });
  return `${text}\n${await signatureLine(signer, text)}`;
}

async function check(text: string, roundEnd: string | null = null) {
  const { key } = await SIGNER;
  return checkRefusal(text, { key: key.text, policy: null }, roundEnd);
}

it('finds a purchase that came 41 ms late rightly refused, and the round’s end as the ledger has it', async () => {
  const { holds, findings } = await check(await signed(), await proofOf(events, endedAt));
  expect(findings).toEqual([]);
  expect(holds).toEqual([
    'play.example/ledger signed the refusal',
    expect.stringMatching(/^bob's purchase of 2 \(command press-1\) arrived at .+Z, 41 ms after the end of round 1/),
    'the ledger has that end of round 1',
  ]);
});

it.each<[string, Partial<LatePurchase>, string]>([
  ['came in time, by its own words', { receivedAtEpochMs: endedAtEpochMs - 1 }, '1 ms BEFORE the end'],
  ['names an earlier end than the ledger', { endedAtEpochMs: endedAtEpochMs - 500 }, 'ended at'],
  ['is of another round', { roundId: 9 }, 'the proof is not of the end of round 9'],
])('convicts the operator by a refusal that %s', async (_, changes, says) => {
  const { findings } = await check(await signed(changes), await proofOf(events, endedAt));
  expect(findings).toEqual([expect.stringContaining(says)]);
});

it('finds a wrong proof of the round’s end', async () => {
  const wrong = (await proofOf(events, endedAt)).replace(/index \d+/, 'index 1');
  expect((await check(await signed(), wrong)).findings.join()).toContain('the proof of the round');
});

it('does not hold after any character of it was changed', async () => {
  const text = await signed();
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === '1' ? '2' : '1';
    const outcome = await check(text.slice(0, at) + other + text.slice(at + 1)).catch(() => ({
      findings: ['malformed'],
    }));
    if (outcome.findings.length === 0) throw new Error(`${at}: ${text.slice(at - 20, at + 20)}`);
  }
});
