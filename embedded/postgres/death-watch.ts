import { spawn } from 'node:child_process';

export interface DeathWatch {
  /** Ends the watch, leaving its process alone. Call it once that process has ended. */
  cancel(): void;
}

/**
 * Outlives us to end a process of ours when we die, be it by `kill -9`: our death closes the pipe that this shell
 * reads from. It has a process group of its own, so that Ctrl-C in the terminal does not reach it.
 *
 * @param removeAfterwards folders to remove once the process has ended, for data that nobody is to keep
 */
export function endWithUs(pid: number, signal: 'INT' | 'TERM', removeAfterwards: string[] = []): DeathWatch {
  const script = `
    read -r word; [ "$word" = cancel ] && exit
    # Where nobody reaps orphans, a process that ended stays as a zombie, which can be signalled for ever.
    alive() { kill -0 "$1" && ! grep -q ') Z ' "/proc/$1/stat"; }
    kill -${signal} "$1"; while alive "$1"; do sleep 0.1; done
    shift; [ $# = 0 ] || rm -rf -- "$@"`;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(pid), ...removeAfterwards], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  const pipe = shell.stdin as NodeJS.WritableStream & { unref?: () => void };
  pipe.unref?.();
  pipe.on('error', () => undefined);
  return { cancel: () => pipe.end('cancel\n') };
}
