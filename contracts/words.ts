import { groupDigits } from './money.js';

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;

/** The words of a text, which one space separates: for long lists of names. */
export const words = <Text extends string>(text: Text): Words<Text>[] => text.split(' ') as Words<Text>[];

/** "1 round", "1,204 rounds". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${groupDigits(count)} ${count === 1 ? one : many}`;

/** "WithdrawalRequested" becomes "Withdrawal requested". */
export function typeText(type: string): string {
  const text = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
