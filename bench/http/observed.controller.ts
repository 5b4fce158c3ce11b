import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Controller, Get, type OnApplicationBootstrap } from '@nestjs/common';
import { Ledger } from '../../api/src/ledger/ledger.js';
import { sharedClockMs } from './forked.js';

/** For each purchase, the time of its commit on the shared clock. */
export type CommittedAt = Record<string, number>;

/** After a full garbage collection, in bytes. */
export interface Memory {
  heapUsed: number;
  external: number;
  rss: number;
}

const KEPT_COMMITS = 10_000;

/** Facts of the api's process that the benchmark asks for. */
@Controller('api/bench')
export class ObservedController implements OnApplicationBootstrap {
  private readonly committedAt = new Map<string, number>();

  constructor(private readonly ledger: Ledger) {}

  onApplicationBootstrap(): void {
    this.ledger.onCommitted((committed) => {
      const atMs = sharedClockMs();
      for (const { recorded } of committed) {
        const { event } = recorded;
        if (event.type === 'TokenPurchased') this.committedAt.set(event.data.purchaseId, atMs);
      }
      for (const [id] of this.committedAt) {
        if (this.committedAt.size <= KEPT_COMMITS) break;
        this.committedAt.delete(id);
      }
    });
  }

  /** The last commits, since the previous request. */
  @Get('commits')
  commits(): CommittedAt {
    const commits = Object.fromEntries(this.committedAt);
    this.committedAt.clear();
    return commits;
  }

  @Get('memory')
  memory(): Memory {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapUsed, external, rss };
  }
}
