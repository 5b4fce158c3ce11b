import type { AuditVerdict, AuditVerification } from '../../../../../contracts/http/audit.js';
import { verificationWords } from './verification-words.js';

const at = Date.UTC(2025, 9, 15, 1, 14, 10);
const verdict: AuditVerdict = {
  events: 184_223,
  chain: 'ab',
  roundsEnded: 36,
  roundsWon: 35,
  comparedEvents: 184_223,
  findingCount: 0,
  findings: [],
};
const done: AuditVerification = { state: 'done', startedAtEpochMs: at - 9_000, finishedAtEpochMs: at, verdict };
const said = (verification: AuditVerification, now = at + 60_000) => {
  const { tone, headline, details, button } = verificationWords(verification, now);
  return [tone, [headline, ...details].join(' · '), button];
};

describe('the words about a verification', () => {
  it('say that all agrees, and when it was looked at', () => {
    expect(said(done)).toEqual([
      'good',
      'Ledger and tables agree to the cent · 184,223 events replayed · chain unbroken · checked 9:14:10 PM',
      'Verify again',
    ]);
    expect(said(done, at + 86_400_000)[1]).toContain('checked Oct 14, 9:14:10 PM');
  });

  it('claim no more than was compared', () => {
    expect(said({ ...done, verdict: { ...verdict, comparedEvents: 184_000 } })[1]).toContain(
      'tables as of event 184,000',
    );
    expect(said({ ...done, verdict: { ...verdict, comparedEvents: 0 } })[1]).toContain(
      'The ledger is sound to the cent',
    );
  });

  it('call findings findings', () => {
    const [tone, text] = said({ ...done, verdict: { ...verdict, findingCount: 1, findings: ['event 9: …'] } });
    expect(tone).toBe('bad');
    expect(text).toContain('1 finding: the books are not as they must be');
    expect(text).not.toContain('unbroken');
  });

  it('say that none was made, that one runs, that one broke off', () => {
    const nothing = { startedAtEpochMs: null, finishedAtEpochMs: null, verdict: null };
    expect(said({ state: 'never', ...nothing })).toEqual([
      'plain',
      'Not verified on this server yet · It replays the whole log and holds the tables against it',
      'Verify now',
    ]);
    expect(said({ ...done, state: 'running', finishedAtEpochMs: null })).toEqual([
      'plain',
      'Verifying since 9:14:01 PM · the whole log is replayed',
      null,
    ]);
    expect(said({ ...done, state: 'failed' })[0]).toBe('bad');
  });
});
