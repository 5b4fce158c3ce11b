import { Injectable, Logger } from '@nestjs/common';
import { AccountsStore } from './accounts.store.js';
import { Enrolment } from './enrolment.js';

const EVERY_MS = 60_000;
const PAGE = 200;

/** Completes registrations that broke off, at the start and from then on every minute. */
@Injectable()
export class UnfinishedRegistrations {
  private readonly logger = new Logger(UnfinishedRegistrations.name);
  private sweeping: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly enrolment: Enrolment,
  ) {}

  start(): void {
    this.sweepUnlessBusy();
    this.timer = setInterval(() => this.sweepUnlessBusy(), EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** One failing account does not keep the others waiting: its turn comes again with the next sweep. */
  async sweep(): Promise<void> {
    let after = '';
    while (!this.isStopped) {
      const page = await this.accounts.notEnrolled(after, PAGE);
      for (const account of page) {
        if (this.isStopped) return;
        await this.enrolment.complete(account).catch((error: Error) => {
          this.logger.error(`the registration of ${account.gamerId} cannot be completed yet: ${error.message}`);
        });
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last.gamerId;
    }
  }

  private sweepUnlessBusy(): void {
    this.sweeping ??= this.sweep()
      .catch((error: Error) => this.logger.warn(`unfinished registrations could not be read: ${error.message}`))
      .finally(() => {
        this.sweeping = undefined;
      });
  }
}
