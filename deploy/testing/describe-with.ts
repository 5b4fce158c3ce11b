import { spawnSync } from 'node:child_process';

/** `describe` for tests that need a program of Debian. Without it they are skipped by name, with the way to install it. */
export function describeWith(program: string, debianPackage: string): (name: string, tests: () => void) => void {
  if (spawnSync(program, ['--help']).error === undefined) return describe;
  return (name, tests) => {
    console.warn(`SKIPPED, because ${program} is not installed (apt-get install ${debianPackage}): ${name}`);
    describe.skip(name, tests);
  };
}
