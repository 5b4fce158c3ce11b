import type { Measured } from './closed-loop.js';

export const say = (line = ''): void => console.log(line);

export const heading = (text: string): void => say(`\n${text}\n${'-'.repeat(text.length)}`);

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const times = (ratio: number): string => `${ratio.toFixed(1)}×`;

/** One line of a table: rate, p50 and p99. */
export function sayMeasured(name: string, { perSecond, p50Ms, p99Ms }: Measured): void {
  const figures = [
    `${whole(perSecond)}/s`.padStart(10),
    `p50 ${ms(p50Ms)}`.padStart(12),
    `p99 ${ms(p99Ms)}`.padStart(12),
  ];
  say(`  ${name.padEnd(44)}${figures.join('  ')}`);
}

/** Ours against theirs: how many times the rate, and how many times shorter the wait. */
export function sayRatios(ours: Measured, theirs: Measured): void {
  const rate = times(ours.perSecond / theirs.perSecond);
  const p50 = times(theirs.p50Ms / ours.p50Ms);
  const p99 = times(theirs.p99Ms / ours.p99Ms);
  say(`  ${'ratio'.padEnd(44)}${rate.padStart(10)}  ${p50.padStart(12)}  ${p99.padStart(12)}`);
}

/** How long the disk took, before each pair of rounds. */
export const sayPaces = (pacesMs: number[]): void =>
  say(
    `  ${'forcing 8 KiB to disk, before each pair'.padEnd(44)}${pacesMs.map((pace) => pace.toFixed(2)).join(', ')} ms`,
  );
