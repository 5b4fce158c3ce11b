import { directly, UndoJournal } from './undo-journal.js';

const sample = () => ({
  phase: 'idle',
  count: 0,
  gamers: new Map<string, { cents: number }>([['alice', { cents: 1 }]]),
  payments: new Set(['one']),
});

it('undoes every kind of change, also several changes of one entry', () => {
  const state = sample();
  const journal = new UndoJournal();
  journal.setField(state, 'phase', 'live');
  journal.setField(state, 'count', 1);
  journal.setField(state, 'count', 2);
  journal.setEntry(state.gamers, 'alice', { cents: 2 });
  journal.setEntry(state.gamers, 'alice', { cents: 3 });
  journal.setEntry(state.gamers, 'bob', { cents: 4 });
  journal.deleteEntry(state.gamers, 'alice');
  journal.setEntry(state.gamers, 'alice', { cents: 5 });
  journal.deleteEntry(state.gamers, 'bob');
  journal.deleteEntry(state.gamers, 'nobody');
  journal.addTo(state.payments, 'one');
  journal.addTo(state.payments, 'two');
  expect(state).toEqual({
    phase: 'live',
    count: 2,
    gamers: new Map([['alice', { cents: 5 }]]),
    payments: new Set(['one', 'two']),
  });
  journal.undo();
  expect(state).toEqual(sample());
});

it('has nothing left to undo afterwards', () => {
  const state = sample();
  const journal = new UndoJournal();
  journal.setField(state, 'count', 1);
  journal.undo();
  state.count = 7;
  journal.undo();
  expect(state.count).toBe(7);
});

it('restores the same records', () => {
  const state = sample();
  const alice = state.gamers.get('alice');
  const journal = new UndoJournal();
  journal.setEntry(state.gamers, 'alice', { cents: 2 });
  journal.undo();
  expect(state.gamers.get('alice')).toBe(alice);
});

it('does the same as changing directly', () => {
  const [journaled, direct] = [sample(), sample()];
  for (const [state, changes] of [
    [journaled, new UndoJournal()],
    [direct, directly],
  ] as const) {
    changes.setField(state, 'phase', 'live');
    changes.setEntry(state.gamers, 'bob', { cents: 2 });
    changes.deleteEntry(state.gamers, 'alice');
  }
  expect(journaled).toEqual(direct);
});
