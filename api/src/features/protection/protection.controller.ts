import { randomUUID } from 'node:crypto';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  Module,
  type NestInterceptor,
  type OnApplicationBootstrap,
  Put,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt, ValidateBy } from 'class-validator';
import type { Observable } from 'rxjs';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type * as http from '../../../../contracts/http/protection.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import * as protection from '../../../../contracts/protection.js';
import { describeExclusion, exclusionText } from '../../../../contracts/refusals.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { whenReachable } from '../../../../event-log/startup.js';
import { adminOr, LoggedIn } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { positionAfter } from '../../http/position.interceptors.js';
import { Metadata, OwnId, OwnIdOrAdmin, PostCommand } from '../../http/session.js';
import { oneOf, refuseAs } from '../../http/validation.js';
import { Ledger } from '../../ledger/ledger.js';
import { dataOf, ledgerMessage } from '../../ledger/ledger-command.js';
import { Background } from '../../platform/background.js';
import { Config } from '../../platform/config.js';
import { Unavailable } from '../../platform/failures.js';
import { ExcludedMailboxes } from '../gamers/excluded-mailboxes.store.js';
import { MailedLinks } from '../gamers/mailed-links.store.js';
import { StatementsModule } from '../statements/statements.controller.js';
import { PlaySessionController } from './play-session.controller.js';
import { ProtectionQueries } from './protection.queries.js';
import { RealityChecksStore } from './reality-checks.store.js';

const WHY_CONFIRM =
  'Once you confirm this email, that also holds for your other accounts with the same mailbox, and nobody can register another one.';

const ExcludeGamer = ledgerMessage('ExcludeGamer', (_command, result) =>
  exclusionText(dataOf(result, 'GamerExcluded')),
);

const LiftExclusion = ledgerMessage('LiftExclusion', () => 'You can play again in 24 hours');

const ReleaseBalance = ledgerMessage('ReleaseBalance', (_command, result) => {
  const { amountCents } = dataOf(result, 'BalanceReleased');
  return `${formatCents(amountCents)} is in your winnings now. A withdrawal is at least ${formatCents(MIN_WITHDRAWAL_CENTS)}`;
});

const SetLimits = ledgerMessage('SetLimits', (_command, result) => {
  const { limits, higher } = dataOf(result, 'LimitsSet');
  const hasLimits = protection.LIMIT_KINDS.some((kind) => Object.values(limits[kind]).some((cents) => cents !== null));
  const message = hasLimits ? 'Your limits hold from now on' : 'No limit is set';
  const later = '; the higher ones once you confirm them, in 24 hours at the earliest';
  return higher ? message + later : message;
});

const ConfirmLimits = ledgerMessage('ConfirmLimits', () => 'Your higher limits hold from now on');

export class ExcludeDto implements http.ExcludeRequest {
  @oneOf(Object.keys(protection.EXCLUSION_DAYS), 'invalid-exclusion') kind!: protection.ExclusionKind;
  @IsInt(refuseAs('invalid-exclusion')) days!: number;
}

const limitsOfAKind = ValidateBy(
  {
    name: 'limitsOfAKind',
    validator: {
      validate: (limits: Record<string, unknown> | null | undefined) =>
        Object.keys(limits ?? {}).length === protection.LIMIT_PERIODS.length &&
        protection.LIMIT_PERIODS.every((period) => protection.isLimit(limits?.[period])),
    },
  },
  refuseAs('invalid-limits'),
);

export class SetLimitsDto implements http.SetLimitsRequest {
  @limitsOfAKind spending!: protection.PlayLimits['spending'];
  @limitsOfAKind deposits!: protection.PlayLimits['deposits'];
  @limitsOfAKind loss!: protection.PlayLimits['loss'];
}

/** Read-your-writes from memory: `X-After-Position` makes it read the log first. It never waits for tables. */
@Injectable()
class AfterLedgerInterceptor implements NestInterceptor {
  constructor(private readonly ledger: Ledger) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const after = positionAfter(context);
    try {
      if (after !== null && BigInt(after) > BigInt(this.ledger.committed.position)) await this.ledger.refresh();
    } catch (error) {
      // While the log does not answer, the response is as of now.
      if (!(error instanceof Unavailable)) throw error;
    }
    return next.handle();
  }
}

/** How gamers protect themselves (decisions 55, 56). */
@Controller('api/gamer/:id')
@UseGuards(LoggedIn)
@UseInterceptors(AfterLedgerInterceptor)
export class ProtectionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: ProtectionQueries,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly links: MailedLinks,
  ) {}

  /** A gamer’s limits, and time-out or self-exclusion; support staff read every gamer’s. */
  @Get('protection')
  protection(@OwnIdOrAdmin('support') id: string): Promise<http.ProtectionResponse> {
    return this.queries.of(id);
  }

  /** Begins a time-out or self-exclusion of the gamer, at once, or makes it longer. */
  @PostCommand('exclusion')
  async exclude(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Body() body: ExcludeDto) {
    // Bars a confirmed mailbox before the exclusion, so that a crash in between leaves nothing undone. One that is not confirmed is
    // barred once its reader follows the link.
    await this.mailboxes.store(gamerId);
    const response = await this.commands.execute(new ExcludeGamer({ ...body, gamerId }, metadata));
    // The mailbox may have been confirmed meanwhile.
    await this.mailboxes.shareStrongest(gamerId, metadata.commandId);
    const { exclusion } = await this.queries.of(gamerId);
    if (exclusion) this.links.sendForOwn(gamerId, `is ${describeExclusion(exclusion)}. ${WHY_CONFIRM}`);
    return response;
  }

  /** Sets all of the gamer’s limits; the lower ones hold at once, the higher ones once they are confirmed. */
  @Put('limits')
  setLimits(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Body() limits: SetLimitsDto) {
    return this.commands.execute(new SetLimits({ gamerId, limits: { ...limits } }, metadata));
  }

  /** Confirms the higher limits that the gamer requested 24 hours ago or longer. */
  @PostCommand('limits/confirm')
  confirmLimits(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string) {
    return this.commands.execute(new ConfirmLimits({ gamerId }, metadata));
  }

  /** Ends a self-exclusion whose time is over; the gamer plays again a day later. */
  @PostCommand('exclusion/lift')
  lift(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string) {
    return this.commands.execute(new LiftExclusion({ gamerId }, metadata));
  }

  /** Moves an excluded gamer’s purchase balance to the winnings, so that it can be withdrawn. */
  @PostCommand('release-balance')
  release(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string) {
    return this.commands.execute(new ReleaseBalance({ gamerId }, metadata));
  }
}

@Controller('api/admin')
@UseGuards(adminOr('support'))
@UseInterceptors(AfterLedgerInterceptor)
export class AdminProtectionController {
  constructor(private readonly queries: ProtectionQueries) {}

  /** The gamers who are excluded now, by pages, the longest first. */
  @Get('exclusions')
  exclusions(@Query() page: Page): Promise<http.ExclusionsResponse> {
    return this.queries.exclusions(page);
  }

  /** The site’s profile, and the gamers with limits of their own, by pages. */
  @Get('limits')
  limits(@Query() page: Page): Promise<http.LimitsResponse> {
    return this.queries.limits(page);
  }
}

/** Puts the profile that the settings name into force, at the node's start. Retries until every process can read the event. */
@Injectable()
export class SiteProfile implements OnApplicationBootstrap {
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
      if (events.length > 0) this.logger.log(`the site’s profile is ${command.profile} from now on`);
    };
    const warn = ({ message }: Error): void =>
      this.logger.warn(`the profile ${command.profile} is not in force yet: ${message}`);
    const { signal } = this.background;
    // Rejected only once the application stops.
    whenReachable(apply, () => !signal.aborted, warn, signal).catch(() => undefined);
  }
}

@Module({
  imports: [StatementsModule],
  controllers: [PlaySessionController, ProtectionController, AdminProtectionController],
  providers: [
    ConfirmLimits.Handler,
    SetLimits.Handler,
    ExcludeGamer.Handler,
    LiftExclusion.Handler,
    SiteProfile,
    ProtectionQueries,
    RealityChecksStore,
    ReleaseBalance.Handler,
  ],
})
export class ProtectionModule {}
