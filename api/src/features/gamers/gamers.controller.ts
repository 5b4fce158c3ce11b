import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  Global,
  Ip,
  Module,
  Param,
  Patch,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { IsArray, IsIn, IsOptional } from 'class-validator';
import type { AdminResetPasswordRequest, EditProfileRequest } from '../../../../contracts/http/gamers.js';
import type { ChangeRoleRequest } from '../../../../contracts/http/staff.js';
import { POWERS, type Power } from '../../../../contracts/ids.js';
import * as limits from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { AdminOnly, adminOr, LoggedIn, SteppedUp } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { messageAt, ReadsViews } from '../../http/position.interceptors.js';
import {
  CurrentGamer,
  Metadata,
  OwnIdOrAdmin,
  PostCommand,
  type SessionGamer,
  SessionGamers,
} from '../../http/session.js';
import { oneOf, optionalQuery, requiredText, trimmedText } from '../../http/validation.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { MatrixQueries } from '../matrix/matrix.queries.js';
import { PaymentsModule } from '../payments/payments.controller.js';
import { SecondFactors } from '../staff/second-factors.store.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { SecurityTrailController, StaffController } from '../staff/staff.controller.js';
import { StatementsModule } from '../statements/statements.controller.js';
import { MovementsQuery, Statements } from '../statements/statements.queries.js';
import { AccountChanges } from './account-changes.store.js';
import { AccountMails } from './account-mails.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ChangedByInterceptor } from './changed-by.interceptor.js';
import { Enrolment } from './enrolment.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { GamerLog } from './gamer-log.js';
import { GamersQueries, GamerTags } from './gamers.queries.js';
import { Logins, Registrations } from './logins.js';
import { MailedLinks } from './mailed-links.store.js';
import { MailedLinksController, OwnAccountController } from './own-account.controller.js';
import { AccountPasswords, Passwords } from './passwords.js';
import { Removals } from './removals.store.js';

/** `?tag=`; without it nobody is found. */
export class TreeSearch {
  @optionalQuery(limits.QUERY_MAX_LENGTH, `tag must be a text of at most ${limits.QUERY_MAX_LENGTH} characters`)
  tag = '';
}

export class GamerSearch extends Page {
  @optionalQuery(limits.EMAIL_MAX_LENGTH, `q must be a text of at most ${limits.EMAIL_MAX_LENGTH} characters`) q = '';
  override pageSize: number = limits.GAMER_LIST_PAGE_SIZE;
}

@Controller('api')
@UseGuards(LoggedIn)
export class GamersController {
  constructor(
    private readonly queries: GamersQueries,
    private readonly genealogies: MatrixQueries,
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /** A gamer’s own data; the admin reads every gamer’s. */
  @Get('gamer/:id')
  @ReadsViews('gamers', 'balances', 'withdrawals', 'winners')
  profile(@OwnIdOrAdmin() id: string) {
    return this.queries.profile(id, this.clock.now());
  }

  /** The movements of a gamer’s accounts, newest first, by pages; from the first one to today by default. */
  @Get('gamer/:id/movements')
  @ReadsViews()
  movements(@OwnIdOrAdmin('money') id: string, @Query() query: MovementsQuery) {
    return this.statements.movements(id, query);
  }

  /** The matrix below the gamer or a member of their downline; the admin opens every gamer’s. */
  @Get('genealogy/:id')
  @ReadsViews('matrix', 'gamers')
  genealogy(@CurrentGamer() gamer: SessionGamer, @Param('id') id: string) {
    return this.genealogies.open(id, gamer);
  }

  /** The gamers below whose GamerTag contains `tag`, the nearest level first. */
  @Get('genealogy/:id/find')
  @ReadsViews()
  findInTree(@CurrentGamer() gamer: SessionGamer, @Param('id') id: string, @Query() { tag }: TreeSearch) {
    return this.genealogies.find(id, tag, gamer);
  }

  /** The gamers on one level below, left to right, by pages. */
  @Get('genealogy/:id/levels/:level')
  @ReadsViews('matrix', 'gamers')
  levelGamers(
    @CurrentGamer() gamer: SessionGamer,
    @Param('id') id: string,
    @Param('level') levelText: string,
    @Query() page: Page,
  ) {
    const level = limits.MATRIX_LEVELS.find((each) => `${each}` === levelText);
    if (level === undefined) throw new Refused('not-found');
    return this.genealogies.levelGamers(id, level, page, gamer);
  }

  /** The gamers who joined with the gamer’s link, in the order of joining, by pages. */
  @Get('genealogy/:id/direct-referrals')
  @ReadsViews()
  directReferrals(@CurrentGamer() gamer: SessionGamer, @Param('id') id: string, @Query() page: Page) {
    return this.genealogies.directReferrals(id, page, gamer);
  }

  /** Gamers by name, by pages; `q` finds part of a GamerTag or email, or the id. */
  @Get('admin/mini/gamers')
  @ReadsViews()
  @UseGuards(adminOr('money', 'support'))
  list(@Query() query: GamerSearch) {
    return this.queries.search(query.q, query, this.clock.now());
  }
}

const optionalField = applyDecorators(trimmedText('all-fields-required'), IsOptional());

export class EditProfileDto implements EditProfileRequest {
  @optionalField gamerTag?: string;
  @optionalField email?: string;
}

export class AdminResetPasswordDto implements AdminResetPasswordRequest {
  @requiredText('all-fields-required') password!: string;
}

export class ChangeRoleDto implements ChangeRoleRequest {
  @oneOf(['gamer', 'auditor', 'operator'], 'invalid-role') role!: 'gamer' | 'auditor' | 'operator';

  @IsOptional()
  @IsArray()
  @IsIn(POWERS, { each: true, message: `A power is ${POWERS.join(', ')}` })
  powers?: Power[];
}

/** The admin’s changes of gamers' accounts (specification §6, §7). */
@Controller('api/admin')
@UseGuards(AdminOnly)
@ReadsViews()
@UseInterceptors(ChangedByInterceptor)
export class AdminGamersController {
  constructor(
    private readonly accounts: AccountChanges,
    private readonly passwords: AccountPasswords,
    private readonly removals: Removals,
    private readonly trail: SecurityTrail,
  ) {}

  /** Changes a gamer’s GamerTag and email. */
  @Patch('mini/gamers/:id/profile')
  @UseGuards(SteppedUp)
  editProfile(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() body: EditProfileDto) {
    const { gamerTag, email } = body;
    const edit = { ...(gamerTag != null && { gamerTag }), ...(email != null && { email }) };
    return this.accounts.editProfile(id, edit, metadata);
  }

  /** Gives a gamer another password; all of their sessions end. */
  @PostCommand('mini/gamers/:id/reset-password')
  @UseGuards(SteppedUp)
  async resetPassword(
    @Metadata() metadata: CommandMetadata,
    @Param('id') id: string,
    @Body() { password }: AdminResetPasswordDto,
    @Ip() address: string,
  ) {
    const position = await this.passwords.change({ gamerId: id, password, by: 'admin', address }, metadata);
    return messageAt(position, 'The password is set, and all sessions of the gamer have ended');
  }

  /** Makes a gamer an auditor, an operator with powers, or a gamer again. */
  @PostCommand('mini/gamers/:id/role')
  @UseGuards(SteppedUp)
  async changeRole(
    @Metadata() metadata: CommandMetadata,
    @Param('id') id: string,
    @Body() { role, powers: given }: ChangeRoleDto,
    @Ip() address: string,
  ) {
    const powers = given ?? [];
    if (role === 'operator' && powers.length === 0) throw new Refused('operator-needs-powers');
    const fields = { gamerId: id, role, powers: role === 'operator' ? powers : [] };
    const changed = await this.accounts.changeRole(fields, metadata);
    const detail = [role, ...fields.powers].join(' ');
    await this.trail.record({ type: 'role-changed', gamerId: id, actorId: metadata.actor.id, address, detail });
    return changed;
  }

  /** Deletes a gamer for good; their children move up in the matrix. */
  @Delete('gamers/:id')
  @UseGuards(SteppedUp)
  remove(@Metadata() metadata: CommandMetadata, @Param('id') id: string) {
    return this.removals.remove(id, metadata);
  }
}

const SERVICES = [
  AccountChanges,
  AccountMails,
  AccountPasswords,
  AccountsStore,
  ExcludedMailboxes,
  GamerTags,
  MailedLinks,
  SecurityTrail,
  { provide: SessionGamers, useExisting: AccountsStore },
];

/** Global, because the guards of every module look up the gamer of a session here. */
@Global()
@Module({
  imports: [LedgerModule, PaymentsModule, StatementsModule],
  controllers: [
    AccountsController,
    AdminGamersController,
    GamersController,
    MailedLinksController,
    OwnAccountController,
    SecurityTrailController,
    StaffController,
  ],
  providers: [
    ...SERVICES,
    AttemptLimits,
    Enrolment,
    GamerLog,
    GamersQueries,
    MatrixQueries,
    Logins,
    Mailer,
    Passwords,
    Registrations,
    Removals,
    SecondFactors,
  ],
  exports: SERVICES,
})
export class GamersModule {}
