import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import { whenReachable } from '../../../../event-log/startup.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Config } from '../../platform/config.js';

/** Puts the setting's profile into force once, at the start. Retries until every process can read the event. */
@Injectable()
export class OperatorProfile implements OnApplicationBootstrap {
  private readonly logger = new Logger('protection');

  constructor(
    private readonly ledger: Ledger,
    private readonly config: Config,
    private readonly background: Background,
  ) {}

  onApplicationBootstrap(): void {
    const command = { type: 'SetProtectionProfile', ...this.config.protectionProfile } as const;
    const apply = async () => {
      const { events } = await this.ledger.execute(command, { actor: SYSTEM, commandId: randomUUID() });
      if (events.length > 0) this.logger.log(`the operator’s profile is ${command.profile} from now on`);
    };
    const warn = ({ message }: Error): void =>
      this.logger.warn(`the profile ${command.profile} is not in force yet: ${message}`);
    const { signal } = this.background;
    // Rejected only once the application stops.
    whenReachable(apply, () => !signal.aborted, warn, signal).catch(() => undefined);
  }
}
