import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { readTables } from '../../../../audit/tables.js';
import type {
  AuditEvent,
  AuditLine,
  AuditMerkleProof,
  AuditRoundsResponse,
  AuditTrialBalance,
} from '../../../../contracts/http/audit.js';
import { CHAIN_START } from '../../../../domain/ledger/chain.js';
import { type AuditScenario, startAuditScenario } from '../../../test/audit-scenario.js';
import type { Person } from '../../../test/whole-application.js';

let scenario: AuditScenario;
let auditor: Person;
let alice: Person;
let bob: Person;
let database: Client;
let ledger: AuditLine[];
let read: AuditScenario['read'];
let newest: AuditScenario['newest'];

beforeAll(async () => {
  scenario = await startAuditScenario();
  ({ auditor, alice, bob, database, ledger, read, newest } = scenario);
});

afterAll(() => scenario?.close());

describe('an event', () => {
  it('has a reason for each posting', async () => {
    const [, , bobs] = ledger.filter(({ type }) => type === 'TokenPurchased') as [AuditLine, AuditLine, AuditLine];
    const event = await read<AuditEvent>(`events/${bobs.number}`);
    expect(event).toMatchObject({ ...bobs, roundId: 1, hasProof: true });
    expect(event.by).toEqual({ gamer: { id: bob.id, gamerTag: 'bob' }, role: 'gamer' });
    expect(event.postings).toEqual([
      { account: `gamer:${bob.id}:purchase`, name: 'gamer:bob:purchase', why: 'pays for 2 tokens', cents: -60 },
      { account: 'jackpot', name: 'jackpot', why: '13 cents a token', cents: 26 },
      { account: 'house:profit', name: 'house:profit', why: '2 cents a token', cents: 4 },
      { account: `gamer:${alice.id}:winnings`, name: 'gamer:Alice:winnings', why: 'level 1, and direct', cents: 6 },
      { account: 'house:unclaimed', name: 'house:unclaimed', why: 'unclaimed: levels 2 to 7', cents: 24 },
    ]);
    expect(event.facts).toContainEqual({ name: 'Paid from', value: 'purchase balance' });
    expect(event.recorded).toMatchObject({ stream: 'ledger', revision: bobs.number - 1, type: 'TokenPurchased' });
  });

  it('is chained to the event before it', async () => {
    let before = CHAIN_START;
    for (const { number } of [...ledger].reverse()) {
      const { chain, postings, by } = await read<AuditEvent>(`events/${number}`);
      expect(chain).toEqual({ before, stored: chain.recomputed, recomputed: chain.recomputed });
      expect(postings.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
      expect(postings.every(({ why }) => why !== '')).toBe(true);
      expect(by.role === 'system').toBe(by.gamer === null);
      before = chain.stored;
    }
  });

  it('has a Merkle proof only if it is a purchase of an ended round', async () => {
    const { number } = newest('RoundEnded');
    expect((await read<AuditEvent>(`events/${number}`)).hasProof).toBe(false);
    expect(await auditor.visitor.get(`/api/audit/events/${number}/merkle-proof`)).toMatchObject({
      status: 404,
      body: { error: 'Only a purchase of a round that has ended has a Merkle proof' },
    });
  });

  it('answers 404 for an unknown number', async () => {
    for (const number of [0, ledger.length + 1]) {
      const answer = { status: 404, body: { error: `There is no event ${number} in the ledger` } };
      expect(await auditor.visitor.get(`/api/audit/events/${number}`)).toMatchObject(answer);
      expect(await auditor.visitor.get(`/api/audit/events/${number}/merkle-proof`)).toMatchObject(answer);
      expect(await auditor.visitor.get(`/api/audit/moments/${number}`)).toMatchObject(answer);
    }
    expect((await auditor.visitor.get('/api/audit/events/first')).status).toBe(404);
  });
});

describe('a Merkle proof', () => {
  const sha256 = (...parts: (Buffer | string)[]): Buffer => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

  it('leads from each purchase to the Merkle root of its round', async () => {
    const { number: endedNumber } = newest('RoundEnded');
    const purchases = ledger.filter(({ type }) => type === 'TokenPurchased').reverse();
    const proofs = await Promise.all(
      purchases.map(({ number }) => read<AuditMerkleProof>(`events/${number}/merkle-proof`)),
    );
    const { facts } = await read<AuditEvent>(`events/${endedNumber}`);
    const root = facts.find(({ name }) => name === 'Merkle root')?.value;
    for (const [leafIndex, proof] of proofs.entries()) {
      expect(proof).toMatchObject({ roundId: 1, endedNumber, treeSize: 3, leafIndex, root, recomputedRoot: root });
      let known = sha256('\0', proof.leaf);
      expect(proof.leafHash).toBe(known.toString('hex'));
      for (const { side, hash } of proof.path) {
        const other = Buffer.from(hash, 'hex');
        known = side === 'left' ? sha256('\x01', other, known) : sha256('\x01', known, other);
      }
      expect(known.toString('hex')).toBe(root);
    }
    expect(proofs.map(({ leaf }) => leaf.split(' ').slice(1, 3))).toEqual([
      [bob.id, '2'],
      [alice.id, '1'],
      [bob.id, '1'],
    ]);
  });
});

describe('the trial balance', () => {
  it('sums to zero as of every event, and ends with the balances of the read model', async () => {
    const trialBalances: AuditTrialBalance[] = [];
    for (const { number } of [...ledger].reverse())
      trialBalances.push(await read<AuditTrialBalance>(`moments/${number}`));
    for (const balance of trialBalances) {
      expect(balance.sumCents).toBe(0);
      expect(balance.atEpochMs).toBe(ledger[ledger.length - balance.number]?.atEpochMs);
    }
    const { balances } = await (await readTables(database)).contents;
    const served: Record<string, number> = {};
    for (const [account, cents] of balances) {
      const name = account.replace(/^gamer:.*:/, 'gamers:');
      served[name] = (served[name] ?? 0) + cents;
    }
    const last = trialBalances.at(-1) as AuditTrialBalance;
    expect(last).toMatchObject({ lastNumber: ledger.length, round: { roundId: 1, phase: 'downtime' } });
    expect(Object.fromEntries(last.accounts.filter(({ cents }) => cents !== 0).map(Object.values) as [])).toEqual(
      Object.fromEntries(Object.entries(served).filter(([, cents]) => cents !== 0)),
    );
    const before = trialBalances[newest('RoundEnded').number - 2] as AuditTrialBalance;
    expect(before.round).toMatchObject({ roundId: 1, phase: 'live' });
    expect(before.accounts[0]).toEqual({ account: 'jackpot', cents: 52 });
    expect(trialBalances[0]).toMatchObject({ number: 1, round: null });
  });

  it('comes with the ended rounds', async () => {
    const rounds = await read<AuditRoundsResponse>('rounds');
    expect(rounds).toEqual({
      rounds: [{ roundId: 1, endedNumber: newest('RoundEnded').number, endedAtEpochMs: expect.any(Number) }],
      firstAtEpochMs: ledger.at(-1)?.atEpochMs,
      lastNumber: ledger.length,
      lastAtEpochMs: ledger[0]?.atEpochMs,
    });
  });
});
