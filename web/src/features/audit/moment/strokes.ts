/** Where the strokes of a slider stand that runs over the events 1 to `lastNumber`: 0 is its start, 1 its end. */
export function strokesOf(numbers: readonly number[], lastNumber: number, most: number): number[] {
  const places = numbers.map((number) => placeOf(number, lastNumber));
  if (places.length <= most) return places;
  // One stroke in each of so many equal stretches: the last of those that would stand there.
  const kept = new Map<number, number>();
  for (const place of places) kept.set(Math.min(most - 1, Math.floor(place * most)), place);
  return [...kept.values()];
}

/** Of one event. */
export const placeOf = (number: number, lastNumber: number): number =>
  lastNumber <= 1 ? 1 : (number - 1) / (lastNumber - 1);
