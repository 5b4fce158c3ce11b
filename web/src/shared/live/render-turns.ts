/** Messages change the page at most four times a second, however many arrive. */
const EVERY_MS = 250;
/** A purchase has several messages, which arrive a moment apart. */
const FIRST_AFTER_MS = 20;

const waiting = new Map<string, () => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let ranAtMonotonicMs = Number.NEGATIVE_INFINITY;

/** Runs the task together with those of the other keys. A newer task replaces one with the same key. */
export function inNextTurn(key: string, task: () => void): void {
  waiting.set(key, task);
  timer ??= setTimeout(runTurn, Math.max(FIRST_AFTER_MS, ranAtMonotonicMs + EVERY_MS - performance.now()));
}

export function runTurn(): void {
  clearTimeout(timer);
  timer = undefined;
  ranAtMonotonicMs = performance.now();
  const tasks = [...waiting.values()];
  waiting.clear();
  for (const task of tasks) task();
}
