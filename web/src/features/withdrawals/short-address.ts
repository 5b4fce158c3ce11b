const SHOWN_AT_EACH_END = 6;

/** Both ends of a wallet address, which is what people compare. */
export function shortAddress(address: string): string {
  if (address.length <= 2 * SHOWN_AT_EACH_END + 1) return address;
  return `${address.slice(0, SHOWN_AT_EACH_END)}…${address.slice(-SHOWN_AT_EACH_END)}`;
}
