import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';

const RETRY_MS = 1_000;

/** Puts the setting's profile into force once, at the start. Retries until every process can read the event. */
@Injectable()
export class OperatorProfile implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('protection');
  private isStopped = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    void this.apply();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
  }

  private async apply(): Promise<void> {
    const command = { type: 'SetProtectionProfile', ...this.config.protectionProfile } as const;
    while (!this.isStopped) {
      try {
        const metadata = { actor: SYSTEM, commandId: randomUUID() };
        const { events } = await this.ledger.execute(command, metadata);
        if (events.length > 0) this.logger.log(`the operator’s profile is ${command.profile} from now on`);
        return;
      } catch (error) {
        this.logger.warn(`the profile ${command.profile} is not in force yet: ${(error as Error).message}`);
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}
