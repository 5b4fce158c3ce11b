import { type Measurement, quantile } from './closed-loop.js';

export const say = (line = ''): void => console.log(line);

export const heading = (text: string): void => say(`\n${text}\n${'-'.repeat(text.length)}`);

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

/** Prints the median of ratios of one kind, and how far they spread. */
export function sayRatios(name: string, ratios: readonly number[]): void {
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  say(`  ${name.padEnd(48)}median ${quantile(ratios, 0.5).toFixed(2)}× (${spread})`);
}

export function sayMeasurement(name: string, { perSecond, p50Ms, p99Ms }: Measurement): void {
  const figures = [
    `${whole(perSecond)}/s`.padStart(10),
    `p50 ${ms(p50Ms)}`.padStart(12),
    `p99 ${ms(p99Ms)}`.padStart(12),
  ];
  say(`  ${name.padEnd(44)}${figures.join('  ')}`);
}
