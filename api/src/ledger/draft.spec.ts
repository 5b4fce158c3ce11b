import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { Draft, type Submission } from './draft.js';
import { LedgerReplica } from './ledger-replica.js';

const T0 = Date.UTC(2026, 0, 1, 12);
let made = 0;
const newEventId = () => {
  made += 1;
  return `event${made}`;
};
const submit = (command: LedgerCommand, more: Partial<Submission> = {}): Submission => {
  made += 1;
  return {
    command,
    commandId: `c${made}`,
    actor: { id: 'admin', role: 'admin' },
    receivedAtMs: T0,
    freshId: `f${made}`,
    ...more,
  };
};
const firstCommand = submit({ type: 'EnrolAdmin', gamerId: 'admin' });
const start: LedgerCommand = { type: 'StartGame' };

const nowMs = T0;

function drafted(replica: LedgerReplica, ...submissions: Submission[]): Draft {
  const draft = new Draft(replica, newEventId, nowMs);
  for (const submission of submissions) draft.add(submission);
  return draft;
}

it('refuses as unavailable a command whose events some running process cannot read yet', () => {
  const replica = new LedgerReplica();
  const draft = new Draft(replica, newEventId, nowMs, (type) => type !== 'LiveStarted');
  draft.add(firstCommand);
  // This command's first event, GameStarted, could be read.
  draft.add(submit({ type: 'ForceStartLive' }));
  const { committed, outcomes } = draft.commit('700');
  expect(committed.map(({ recorded }) => recorded.event.type)).toEqual(['GamerEnrolled']);
  expect(outcomes[1]).toEqual({ kind: 'refused', refusal: { code: 'unavailable' } });
});

it('a replica folds the next event only', () => {
  const later = { revision: 1 } as RecordedLedgerEvent;
  expect(() => new LedgerReplica().apply(later)).toThrow('ledger@1 came after ledger@-1');
});

it('estimates its size at least as large as the events it sends', () => {
  const draft = drafted(
    new LedgerReplica(),
    firstCommand,
    submit(start),
    submit({ type: 'ResetGame', reason: 'ü'.repeat(500) }),
  );
  const bytes = draft.newEvents.map(({ id, event, metadata }) =>
    Buffer.byteLength(JSON.stringify({ id, event, metadata })),
  );
  expect(draft.sizeBytes).toBeGreaterThanOrEqual(bytes.reduce((sum, size) => sum + size, 0));
});
