import crypto from 'node:crypto';
import timersPromises from 'node:timers/promises';
import type { Timer, VirtualTime } from '../virtual-time.js';

/** A machine's clocks, in milliseconds; both may be wrong. */
export interface MachineClocks {
  monotonicMs(): number;
  wallMs(): number;
}

type WaitOptions = { signal?: AbortSignal };

/** Replaces Node's timers, clocks and random numbers by a simulation's. Returns the function that brings Node's own back. */
export function replaceGlobals(time: VirtualTime, clocks: () => MachineClocks, random: () => number): () => void {
  const start = (work: (...given: never[]) => void, ms = 0, ...given: never[]): Handle =>
    new Handle(time.after(Math.max(0, Math.ceil(ms)), () => work(...given)));
  const clear = (handle?: Handle): void => {
    if (handle) time.cancel(handle.timer);
  };
  const wait = <T>(ms = 0, value?: T, { signal }: WaitOptions = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const handle = start(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, ms);
      const abort = () => {
        clear(handle);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
    });
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const undo = [
    replace(globalThis, 'setTimeout', start),
    replace(globalThis, 'clearTimeout', clear),
    replace(globalThis, 'setImmediate', (work: () => void) => start(work)),
    replace(globalThis, 'clearImmediate', clear),
    replace(performance, 'now', () => clocks().monotonicMs()),
    replace(Date, 'now', () => Math.floor(clocks().wallMs())),
    replace(Math, 'random', random),
    replace(timersPromises, 'setTimeout', wait),
    replace(timersPromises, 'setImmediate', (value?: unknown) => wait(0, value)),
    replace(AbortSignal, 'any', anyOf),
    replace(crypto, 'randomUUID', () => [8, 4, 4, 4, 12].map(hex).join('-')),
  ];
  return () => {
    for (const restore of undo) restore();
  };
}

/** `AbortSignal.any`. Node's own, like a listener's option `signal`, keeps a crashed machine in memory for ever. */
function anyOf(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const end = (reason: unknown) => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
    controller.abort(reason);
  };
  const onAbort = ({ target }: Event) => end((target as AbortSignal).reason);
  for (const signal of signals) signal.addEventListener('abort', onAbort);
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) end(aborted.reason);
  return controller.signal;
}

/** Replaces the timers for a test on one computer, whose clocks are right. */
export const replaceTimers = (time: VirtualTime): (() => void) =>
  replaceGlobals(time, () => ({ monotonicMs: time.now, wallMs: time.now }), Math.random);

class Handle {
  constructor(readonly timer: Timer) {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function replace(target: object, name: string, by: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value: by, configurable: true, writable: true });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
