/** What the launch countdown shows: days, hours, minutes, seconds; null once it is over. */
export function launchParts(secondsLeft: number): { value: number; unit: string }[] | null {
  if (secondsLeft <= 0) return null;
  return [
    { value: Math.floor(secondsLeft / 86_400), unit: 'days' },
    { value: Math.floor(secondsLeft / 3_600) % 24, unit: 'hours' },
    { value: Math.floor(secondsLeft / 60) % 60, unit: 'minutes' },
    { value: secondsLeft % 60, unit: 'seconds' },
  ];
}
