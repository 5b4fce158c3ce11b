import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { onConnection, tryLock, unlock } from '../../../event-log/postgres.js';

/** Keeps the nodes from doing the same work at the same time. */
@Injectable()
export class Locks {
  constructor(private readonly pool: Pool) {}

  /** Runs the work unless another node has the lock. Postgres frees the lock of a node that dies. */
  ifFree(lock: string, work: () => Promise<void>): Promise<void> {
    return onConnection(this.pool, async (client) => {
      if (!(await tryLock(client, lock))) return;
      await work();
      await unlock(client, lock);
    });
  }
}
