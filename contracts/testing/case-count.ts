/**
 * Number of cases a generated test runs: `usual` in `npm run check` and `npm test`, `full` in `npm run campaigns`
 * (CAMPAIGNS=full), and N where CAMPAIGNS=N.
 */
export function caseCount(usual: number, full: number): number {
  const { CAMPAIGNS: wish = '' } = process.env;
  if (wish === '') return usual;
  if (wish === 'full') return full;
  if (!/^[1-9]\d*$/.test(wish)) throw new Error(`CAMPAIGNS is "${wish}"; it must be full or a number of cases`);
  return Number(wish);
}

/** The seed that SEED names, to run a failed campaign again; undefined without it. */
export const givenSeed = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
