import { InvalidSetting } from './settings.js';
import { reportTo, runCommand, runProcess, whenReachable } from './startup.js';

it('reports a wrong setting or a refused database in one sentence, and any other error with its stack', () => {
  const reported = (error: Error) => {
    const fatal = jest.fn();
    reportTo({ fatal })(error);
    return fatal.mock.calls[0];
  };
  const withCode = (code: string) => Object.assign(new Error('no'), { code });
  expect(reported(new InvalidSetting('NAME is not set'))).toEqual(['NAME is not set']);
  for (const code of ['28P01', '3D000']) expect(reported(withCode(code))).toEqual(['DATABASE_URL is refused: no.']);
  for (const err of ['28P0', '28P011', 'X28P01', ''].map(withCode)) expect(reported(err)).toEqual([{ err }, 'no']);
});

it('reports whatever ends a process or a command, and exits with code 1', async () => {
  const on = jest.spyOn(process, 'on').mockReturnThis();
  const exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const report = jest.fn();
  await runProcess(report, () => Promise.reject('no error'));
  for (const [name, end] of on.mock.calls) end(new Error(String(name)));
  process.env.SESSION_SECRET = 'canary-secret';
  await runCommand(() => Promise.reject(new Error('canary-secret is too short')));
  const written = write.mock.calls;
  jest.restoreAllMocks();
  const texts = ['no error', 'uncaughtException', 'unhandledRejection'];
  expect(report.mock.calls).toEqual(texts.map((text) => [new Error(text)]));
  expect([exit.mock.calls, written]).toEqual([[[1], [1], [1], [1]], [['[secret] is too short\n']]]);
});

it('repeats work every half second for as long as a store is unavailable', async () => {
  jest.useFakeTimers();
  const [outage, fault] = [new Error('outage'), new Error('fault')];
  const work = jest.fn().mockRejectedValueOnce(outage).mockRejectedValueOnce(outage).mockRejectedValueOnce(fault);
  const warn = jest.fn();
  const done = expect(whenReachable(work, (error) => error === outage, warn)).rejects.toBe(fault);
  await jest.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(2);
  await jest.advanceTimersByTimeAsync(1);
  await done;
  expect(warn.mock.calls).toEqual([[outage], [outage]]);
  jest.useRealTimers();
});
