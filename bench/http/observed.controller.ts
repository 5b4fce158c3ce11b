import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Controller, Get } from '@nestjs/common';
import { Ledger } from '../../api/src/ledger/ledger.js';
import { sharedClockMs } from './forked.js';

/** Time of each purchase's commit on the shared clock. */
export type CommittedAt = Record<string, number>;

export interface Memory {
  heapUsed: number;
  external: number;
  rss: number;
}

@Controller('api/bench')
export class ObservedController {
  private committedAt: Map<string, number> | null = null;

  constructor(private readonly ledger: Ledger) {}

  /** The last commits since the previous request. Observes from the first one on: other parts do not pay for it. */
  @Get('commits')
  commits(): CommittedAt {
    this.committedAt ??= this.observe();
    const commits = Object.fromEntries(this.committedAt);
    this.committedAt.clear();
    return commits;
  }

  private observe(): Map<string, number> {
    const committedAt = new Map<string, number>();
    this.ledger.onCommitted((committed) => {
      const atMs = sharedClockMs();
      for (const { recorded } of committed) {
        const { event } = recorded;
        if (event.type === 'TokenPurchased') committedAt.set(event.data.purchaseId, atMs);
      }
    });
    return committedAt;
  }

  @Get('memory')
  memory(): Memory {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapUsed, external, rss };
  }
}
