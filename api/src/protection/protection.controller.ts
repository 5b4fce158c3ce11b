import { Body, Controller, Get, HttpCode, Param, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsInt } from 'class-validator';
import type { ExcludedGamer, ExcludeRequest, ProtectionResponse } from '../../../contracts/http/protection.js';
import { EXCLUSION_DAYS, type ExclusionKind } from '../../../contracts/limits.js';
import type { CommandMetadata } from '../../../domain/ledger-commands.js';
import { AfterPositionInterceptor } from '../http/position.interceptors.js';
import {
  AdminOnly,
  CurrentSession,
  LoggedIn,
  Metadata,
  mustBeOwn,
  mustBeOwnOrAdmin,
  type SessionGamer,
} from '../http/session.js';
import { refuseAs } from '../http/validation.js';
import { ExcludeGamer, LiftExclusion, ReleaseBalance } from './protection.commands.js';
import { ProtectionQueries } from './protection.queries.js';

export class ExcludeDto implements ExcludeRequest {
  @IsIn(Object.keys(EXCLUSION_DAYS), refuseAs('invalid-exclusion'))
  kind!: ExclusionKind;

  @IsInt(refuseAs('invalid-exclusion'))
  days!: number;
}

/** How gamers protect themselves (decision 55). */
@Controller('api/gamer/:id')
@UseGuards(LoggedIn)
@UseInterceptors(AfterPositionInterceptor)
export class ProtectionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: ProtectionQueries,
  ) {}

  /** A gamer’s time-out or self-exclusion; the admin reads every gamer’s. */
  @Get('protection')
  protection(@CurrentSession() session: SessionGamer, @Param('id') id: string): ProtectionResponse {
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
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class AdminProtectionController {
  constructor(private readonly queries: ProtectionQueries) {}

  /** The gamers who are excluded now, the longest first. */
  @Get('exclusions')
  exclusions(): Promise<ExcludedGamer[]> {
    return this.queries.exclusions();
  }
}
