import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { builtFile } from '../../embedded/launcher/built-files.js';

/** A clock that all processes of this machine share, ms. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export interface ForkedProcess {
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** Runs a process with options (argv[2], as JSON) to its end. Returns what it printed, from JSON. */
export async function runScript<Result>(script: string, options: object, flags: string[] = []): Promise<Result> {
  const parameters = [...flags, builtFile(script), JSON.stringify(options)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return JSON.parse(stdout) as Result;
}

/** Starts a process with options (argv[2], as JSON). Returns it and its first message. */
export async function forkProcess<Ready>(script: string, options: unknown): Promise<[ForkedProcess, Ready]> {
  const child = fork(builtFile(script), [JSON.stringify(options)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended (${code})`);
  });
  // Awaited only while an answer is due.
  ended.catch(() => undefined);
  const answer = async <Answer>(): Promise<Answer> =>
    (await Promise.race([once(child, 'message'), ended]))[0] as Answer;
  const ready = await answer<Ready>();
  const forked: ForkedProcess = {
    ask(question) {
      child.send(question as object);
      return answer();
    },
    async stop() {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
  return [forked, ready];
}

/** Runs in the forked process: says that it is ready, and answers each question. */
export function answerQuestions(ready: unknown, answer: (question: unknown) => Promise<unknown>): void {
  process.once('disconnect', () => process.exit());
  process.on('message', async (question) => {
    process.send?.(await answer(question));
  });
  process.send?.(ready);
}
