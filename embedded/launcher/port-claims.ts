import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUse, type FolderLock, lockFolder } from '../postgres/folder-lock.js';
import { anyFreePort, isPortFree } from '../postgres/free-port.js';

const PORTS_TRIED = 100;

/** Claims ports by lock files, for one system account: a process listens seconds after its port was found free. */
export class PortClaims {
  private readonly claims: FolderLock[] = [];

  constructor(private readonly folder = join(tmpdir(), `omni-jackpot-ports-${process.getuid?.() ?? 0}`)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Claims the port when it is free; returns whether it was. */
  async claim(port: number, host: string): Promise<boolean> {
    if (!(await isPortFree(port, host))) return false;
    try {
      this.claims.push(await lockFolder(this.folder, String(port)));
      return true;
    } catch (error) {
      if (error instanceof FolderInUse) return false;
      throw error;
    }
  }

  /** Claims `preferred` or the first later port that is free. */
  async next(preferred: number, host: string): Promise<number> {
    for (let port = preferred; port < preferred + PORTS_TRIED; port++) {
      if (await this.claim(port, host)) return port;
    }
    throw new Error(`no port from ${preferred} to ${preferred + PORTS_TRIED - 1} is free on ${host}`);
  }

  /** Claims a free port that the operating system chooses. */
  async any(host: string): Promise<number> {
    for (;;) {
      const port = await anyFreePort(host);
      if (await this.claim(port, host)) return port;
    }
  }

  async release(): Promise<void> {
    await Promise.all(this.claims.splice(0).map((claim) => claim.release()));
  }
}
