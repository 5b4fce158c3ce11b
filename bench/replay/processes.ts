import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one unit of /proc's times on Linux. */
const TICK_MS = 10;

interface Process {
  pid: number;
  parentPid: number;
  command: string;
  cpuMs: number;
  /** CPU time of its children that ended. */
  endedCpuMs: number;
}

/** CPU time so far of the processes that this one started, ms; those of Postgres are added up. Linux only. */
export function cpuTimes(): Record<'event store' | 'Postgres' | 'projections' | 'api', number> {
  const all = processes();
  const own = new Set([process.pid]);
  for (const { pid } of descendants(all, process.pid)) own.add(pid);
  const started = all.filter(({ pid }) => own.has(pid));
  const sum = (some: Process[]): number => some.reduce((total, { cpuMs }) => total + cpuMs, 0);
  const running = (script: string): number => sum(started.filter(({ command }) => command.endsWith(`${script}\0`)));
  const postmaster = started.find(({ command }) => /\/bin\/postgres\0-D\0/.test(command));
  const backends = all.filter(({ parentPid }) => parentPid === postmaster?.pid);
  return {
    'event store': running('embedded/event-store/main.js'),
    Postgres: (postmaster?.endedCpuMs ?? 0) + sum([...(postmaster ? [postmaster] : []), ...backends]),
    projections: running('projections/src/main.js'),
    api: running('api/src/main.js'),
  };
}

function descendants(all: readonly Process[], ancestor: number): Process[] {
  const children = all.filter(({ parentPid }) => parentPid === ancestor);
  return children.flatMap((child) => [child, ...descendants(all, child.pid)]);
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        // The fields after the name, from the third one on: proc(5).
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
        const [parentPid, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]));
        return [
          {
            pid: Number(name),
            parentPid: parentPid!,
            command,
            cpuMs: (user! + system!) * TICK_MS,
            endedCpuMs: (endedUser! + endedSystem!) * TICK_MS,
          },
        ];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}
