import type { Measured } from './closed-loop.js';

export const say = (line = ''): void => console.log(line);

export const heading = (text: string): void => say(`\n${text}\n${'-'.repeat(text.length)}`);

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

export function sayMeasured(name: string, { perSecond, p50Ms, p99Ms }: Measured): void {
  const figures = [
    `${whole(perSecond)}/s`.padStart(10),
    `p50 ${ms(p50Ms)}`.padStart(12),
    `p99 ${ms(p99Ms)}`.padStart(12),
  ];
  say(`  ${name.padEnd(44)}${figures.join('  ')}`);
}
