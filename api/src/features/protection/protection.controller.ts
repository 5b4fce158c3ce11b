import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  type NestInterceptor,
  Param,
  Post,
  Put,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsInt, ValidateBy } from 'class-validator';
import type { Observable } from 'rxjs';
import type {
  ExcludeRequest,
  ExclusionsResponse,
  LimitsResponse,
  ProtectionResponse,
  SetLimitsRequest,
} from '../../../../contracts/http/protection.js';
import {
  EXCLUSION_DAYS,
  type ExclusionKind,
  isLimit,
  LIMIT_PERIODS,
  type PlayLimits,
} from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { positionAfter } from '../../http/position.interceptors.js';
import {
  adminOr,
  CurrentSession,
  LoggedIn,
  Metadata,
  mustBeOwn,
  mustBeOwnOrAdmin,
  type SessionGamer,
} from '../../http/session.js';
import { refuseAs } from '../../http/validation.js';
import { Ledger } from '../../ledger/ledger.js';
import { Unavailable } from '../../platform/failures.js';
import { ConfirmLimits, ExcludeGamer, LiftExclusion, ReleaseBalance, SetLimits } from './protection.commands.js';
import { ProtectionQueries } from './protection.queries.js';

export class ExcludeDto implements ExcludeRequest {
  @IsIn(Object.keys(EXCLUSION_DAYS), refuseAs('invalid-exclusion'))
  kind!: ExclusionKind;

  @IsInt(refuseAs('invalid-exclusion'))
  days!: number;
}

const limitsOfAKind = ValidateBy(
  {
    name: 'limitsOfAKind',
    validator: {
      validate: (limits: Record<string, unknown> | null | undefined) =>
        Object.keys(limits ?? {}).length === LIMIT_PERIODS.length &&
        LIMIT_PERIODS.every((period) => isLimit(limits?.[period])),
    },
  },
  refuseAs('invalid-limits'),
);

export class SetLimitsDto implements SetLimitsRequest {
  @limitsOfAKind spending!: PlayLimits['spending'];
  @limitsOfAKind deposits!: PlayLimits['deposits'];
  @limitsOfAKind loss!: PlayLimits['loss'];
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
      // While the log does not answer, the answer is as of now.
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
  ) {}

  /** A gamer’s limits, and time-out or self-exclusion; the admin reads every gamer’s. */
  @Get('protection')
  protection(@CurrentSession() session: SessionGamer, @Param('id') id: string): Promise<ProtectionResponse> {
    mustBeOwnOrAdmin(session, id);
    return this.queries.of(id);
  }

  /** Begins a time-out or self-exclusion of the gamer, at once, or makes it longer. */
  @Post('exclusion')
  @HttpCode(200)
  exclude(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string, @Body() { kind, days }: ExcludeDto) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new ExcludeGamer({ gamerId, kind, days }, metadata));
  }

  /** Sets all of the gamer’s limits; the lower ones hold at once, the higher ones once they are confirmed. */
  @Put('limits')
  setLimits(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string, @Body() wanted: SetLimitsDto) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new SetLimits({ gamerId, limits: { ...wanted } }, metadata));
  }

  /** Confirms the higher limits that the gamer requested 24 hours ago or longer. */
  @Post('limits/confirm')
  @HttpCode(200)
  confirmLimits(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new ConfirmLimits({ gamerId }, metadata));
  }

  /** Ends a self-exclusion whose time is over; the gamer plays again a day later. */
  @Post('exclusion/lift')
  @HttpCode(200)
  lift(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new LiftExclusion({ gamerId }, metadata));
  }

  /** Moves an excluded gamer’s purchase balance to the winnings, so that it can be withdrawn. */
  @Post('release-balance')
  @HttpCode(200)
  release(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string) {
    mustBeOwn(metadata.actor.id, gamerId);
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
  exclusions(@Query() page: Page): Promise<ExclusionsResponse> {
    return this.queries.exclusions(page);
  }

  /** The operator’s profile, and the gamers with limits of their own, by pages. */
  @Get('limits')
  limits(@Query() page: Page): Promise<LimitsResponse> {
    return this.queries.limits(page);
  }
}
