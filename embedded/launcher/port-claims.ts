import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUse, type FolderLock, lockFolder } from '../postgres/folder-lock.js';
import { anyFreePort, isPortFree } from '../postgres/free-port.js';

const PORTS_TRIED = 100;

/**
 * The ports of one application. Between finding a port free and a part listening there pass seconds, in which another
 * launcher finds it free as well; so each port is also claimed, for as long as the launcher runs, among the launchers of
 * this account.
 */
export class PortClaims {
  private readonly claims: FolderLock[] = [];

  private constructor(private readonly folder: string) {}

  /** @param folder where the claims of this account are kept */
  static async open(folder = join(tmpdir(), `omni-jackpot-ports-${process.getuid?.() ?? 0}`)): Promise<PortClaims> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new PortClaims(folder);
  }

  /** Whether the port was free; it is then claimed. */
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

  /** `preferred`, or the first one after it that is neither taken nor claimed. */
  async next(preferred: number, host: string): Promise<number> {
    for (let port = preferred; port < preferred + PORTS_TRIED; port++) {
      if (await this.claim(port, host)) return port;
    }
    throw new Error(`no port from ${preferred} to ${preferred + PORTS_TRIED - 1} is free on ${host}`);
  }

  /** Whatever the system says is free. */
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
