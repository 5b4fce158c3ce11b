import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUse, type FolderLock, lockFolder } from '../postgres/folder-lock.js';
import { anyFreePort, isPortFree } from '../postgres/free-port.js';

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
    let port = preferred;
    while (!(await this.claim(port, host))) port += 1;
    return port;
  }

  /** Claims a free port that the operating system chooses, or a later one. */
  async any(host: string): Promise<number> {
    return this.next(await anyFreePort(host), host);
  }

  async release(): Promise<void> {
    await Promise.all(this.claims.splice(0).map((claim) => claim.release()));
  }
}
