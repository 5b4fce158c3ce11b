import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ConfirmEnrolmentRequest, EnrolmentResponse, RecoveryCodesResponse, StepUpRequest } from '../../../../contracts/http/staff.js';
import { mustBeSteppedUp, type Session, type SessionGamer } from '../../http/session.js';
import { Refused } from '../../platform/failures.js';
import { brokenByPassword } from '../gamers/account.rules.js';
import { CurrentPasswords } from '../gamers/passwords.js';
import { SecondFactors } from './second-factors.store.js';
import { SignInTrail } from './sign-in-trail.store.js';
import { secretText, totpUri } from './totp.js';

const ISSUER = 'Omni Jackpot';

/** The staff member behind the request, with the client's address. */
interface Asker {
  gamer: SessionGamer;
  session: Session;
  address: string;
}

export class StepUp extends Command<{ withSecondFactor: boolean }> {
  constructor(
    readonly request: StepUpRequest,
    readonly asker: Asker,
  ) {
    super();
  }
}

/** Checks the second factor; the password of staff without one. Throws Refused. The controller renews the session. */
@CommandHandler(StepUp)
export class StepUpHandler implements ICommandHandler<StepUp> {
  constructor(
    private readonly factors: SecondFactors,
    private readonly currentPasswords: CurrentPasswords,
    private readonly trail: SignInTrail,
  ) {}

  async execute({ request, asker }: StepUp): Promise<{ withSecondFactor: boolean }> {
    // An absent field may come as null.
    const code = request.code ?? '';
    const password = request.password ?? '';
    const { gamerId } = asker.gamer;
    const { address } = asker;
    const withSecondFactor = await this.factors.isEnrolled(gamerId);
    let detail = 'password';
    if (withSecondFactor) {
      detail = await this.factors.use(gamerId, code, 'step-up').catch(async (error: Error) => {
        await this.trail.record({ type: 'step-up-failed', gamerId, address });
        throw error;
      });
    } else {
      await this.currentPasswords.check(password, asker);
    }
    await this.trail.record({ type: 'stepped-up', gamerId, address, detail });
    return { withSecondFactor };
  }
}

export class BeginEnrolment extends Command<EnrolmentResponse> {
  constructor(
    readonly password: string,
    readonly asker: Asker,
  ) {
    super();
  }
}

/**
 * Begins the enrolment of an authenticator. It takes the password, so that a stolen session cannot enrol its thief; to replace
 * an authenticator it also takes a step-up with the one in force.
 */
@CommandHandler(BeginEnrolment)
export class BeginEnrolmentHandler implements ICommandHandler<BeginEnrolment> {
  constructor(
    private readonly factors: SecondFactors,
    private readonly currentPasswords: CurrentPasswords,
  ) {}

  async execute({ password, asker }: BeginEnrolment): Promise<EnrolmentResponse> {
    const { gamerId, gamerTag, role } = asker.gamer;
    if (await this.factors.isEnrolled(gamerId)) {
      if (!asker.session.hasSecondFactor) throw new Refused('second-factor-required');
      mustBeSteppedUp(asker.session);
    }
    await this.currentPasswords.check(password, asker);
    // A gamer who became staff may have a password that was long enough for a gamer.
    const broken = brokenByPassword(password, role);
    if (broken) throw new Refused(broken);
    const secret = await this.factors.begin(gamerId);
    return { secret: secretText(secret), uri: totpUri(secret, { issuer: ISSUER, account: gamerTag }) };
  }
}

export class ConfirmEnrolment extends Command<RecoveryCodesResponse> {
  constructor(
    readonly request: ConfirmEnrolmentRequest,
    readonly asker: Asker,
  ) {
    super();
  }
}

@CommandHandler(ConfirmEnrolment)
export class ConfirmEnrolmentHandler implements ICommandHandler<ConfirmEnrolment> {
  constructor(
    private readonly factors: SecondFactors,
    private readonly trail: SignInTrail,
  ) {}

  async execute({ request: { code }, asker }: ConfirmEnrolment): Promise<RecoveryCodesResponse> {
    const { gamerId } = asker.gamer;
    const recoveryCodes = await this.factors.confirm(gamerId, code);
    await this.trail.record({ type: 'second-factor-enrolled', gamerId, address: asker.address });
    return { recoveryCodes };
  }
}
