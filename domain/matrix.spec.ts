import { MATRIX_DEPTH } from '../contracts/limits.js';
import { emptyLedger, type GamerPlace, type LedgerState } from './ledger/ledger-state.js';
import { directChanges } from './ledger/undo-log.js';
import { enrol, freeSlotUnder, remove, tryMoves, uplinesOf, widen } from './matrix.js';
import { ADMIN, ALICE, CAROL, T0, TERMS } from './testing/constants.js';
import { enrolled, enrolledGamers } from './testing/gamers.js';
import { gameStarted } from './testing/rounds.js';
import { given } from './testing/scenario.js';

/** Counts reads of places. */
class CountingMap extends Map<string, GamerPlace> {
  reads = 0;

  override get(key: string): GamerPlace | undefined {
    this.reads += 1;
    return super.get(key);
  }
}

function rooted(gamers: Map<string, GamerPlace> = new Map()): LedgerState {
  const state = { ...emptyLedger(), gamers };
  enrol(state, { gamerId: 'g0', sponsorId: null, parentId: null, slot: null }, directChanges);
  return state;
}

function enrolUnder(state: LedgerState, sponsorId: string) {
  const gamerId = `g${state.gamers.size}`;
  const place = freeSlotUnder(state, sponsorId);
  enrol(state, { gamerId, sponsorId, ...place }, directChanges);
  return { gamerId, ...place };
}

it('reads only as many places for the twenty-thousandth gamer as the tree is deep', () => {
  const gamers = new CountingMap();
  const state = rooted(gamers);
  const mostReads = (count: number): number => {
    let most = 0;
    for (let index = 0; index < count; index += 1) {
      gamers.reads = 0;
      enrolUnder(state, 'g0');
      most = Math.max(most, gamers.reads);
    }
    return most;
  };
  const atTen = mostReads(10);
  const atTwentyThousand = mostReads(20_000 - 10);
  const levels = (size: number) => Math.log(2 * size + 1) / Math.log(3);
  // Up to four reads per level on the way down, and as many on the way up when whole levels become full.
  expect(atTen).toBeLessThanOrEqual(8 * levels(10));
  expect(atTwentyThousand).toBeLessThanOrEqual(8 * levels(20_000));
});

it('lists at most seven uplines, nearest first', () => {
  const state = rooted();
  for (let index = 0; index < 9; index += 1) enrolUnder(state, `g${index}`);
  expect(uplinesOf(state, 'g2', MATRIX_DEPTH)).toEqual(['g1', 'g0']);
  expect(uplinesOf(state, 'g9', MATRIX_DEPTH)).toEqual(['g8', 'g7', 'g6', 'g5', 'g4', 'g3', 'g2']);
  expect(uplinesOf(state, 'g0', MATRIX_DEPTH)).toEqual([]);
});

it('throws for a taken place and for an unknown parent', () => {
  const state = rooted();
  enrolUnder(state, 'g0');
  const at = (parentId: string, slot: number) => () =>
    enrol(state, { gamerId: 'x', sponsorId: null, parentId, slot }, directChanges);
  expect(at('g0', 0)).toThrow('slot 0 of g0 is taken');
  expect(at('nobody', 0)).toThrow('nobody has no place in the matrix');
});

it('widens every row with a round of a wider matrix, and never becomes narrower', () => {
  const terms = { ...TERMS, matrixWidth: 4 };
  const wider = given(enrolledGamers(), enrolled('dan', null, ADMIN, 2), gameStarted(1, T0, { terms }));
  expect(wider.state.gamers.get(ADMIN)).toMatchObject({ children: [ALICE, CAROL, 'dan', null], openDepth: 0 });
  wider.when({ type: 'EnrolGamer', gamerId: 'eve', sponsorId: null }).thenHappens(enrolled('eve', null, ADMIN, 3));
  expect(() => widen(wider.state, 3, directChanges)).toThrow('the matrix cannot become narrower: 3 slots');
});

it('throws for the removal of its root', () => {
  const state = rooted();
  expect(() => remove(state, 'g0', [], directChanges)).toThrow('the root of the matrix cannot be removed');
  expect(() => tryMoves(state, 'g0', directChanges)).toThrow('the root of the matrix cannot be removed');
});
