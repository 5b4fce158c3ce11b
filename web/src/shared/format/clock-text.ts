const two = (n: number): string => String(n).padStart(2, '0');

/** mm:ss, or hh:mm:ss when there are hours. */
export function clockText(totalSeconds: number): string {
  const hours = Math.floor(totalSeconds / 3600);
  const rest = `${two(Math.floor(totalSeconds / 60) % 60)}:${two(totalSeconds % 60)}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
}

/** What a purchase added: +0:30, +1:00, +1:23:20. */
export function addedText(totalSeconds: number): string {
  const hours = Math.floor(totalSeconds / 3600);
  const minutes = Math.floor(totalSeconds / 60) % 60;
  return hours > 0 ? `+${hours}:${two(minutes)}:${two(totalSeconds % 60)}` : `+${minutes}:${two(totalSeconds % 60)}`;
}

/** "3 minutes", "2 hours", "90 seconds": the largest unit that says it in a whole number. */
export function durationText(totalSeconds: number): string {
  const [count, unit] =
    totalSeconds % 3600 === 0
      ? [totalSeconds / 3600, 'hour']
      : totalSeconds % 60 === 0
        ? [totalSeconds / 60, 'minute']
        : [totalSeconds, 'second'];
  return counted(count, unit);
}

/** "1 token", "12,408 gamers". */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
}
