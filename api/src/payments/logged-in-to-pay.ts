import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Refused } from '../http/refused.js';
import { LoggedIn } from '../http/session.js';

/** As LoggedIn, in the specification's words for an invoice (§5). */
@Injectable()
export class LoggedInToBuy extends LoggedIn {
  override canActivate(context: ExecutionContext): Promise<boolean> {
    return super.canActivate(context).catch(saying('login-to-create-invoice'));
  }
}

/** …and for a deposit. */
@Injectable()
export class LoggedInToDeposit extends LoggedIn {
  override canActivate(context: ExecutionContext): Promise<boolean> {
    return super.canActivate(context).catch(saying('login-to-create-deposit'));
  }
}

const saying =
  (code: 'login-to-create-invoice' | 'login-to-create-deposit') =>
  (error: unknown): never => {
    throw error instanceof Refused && error.refusal.code === 'not-logged-in' ? new Refused(code) : error;
  };
