import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Refused } from '../http/refused.js';
import { LoggedIn } from '../http/session.js';

/** As LoggedIn, in the specification's words for the community (§5). */
@Injectable()
export class LoggedInToPost extends LoggedIn {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    try {
      return await super.canActivate(context);
    } catch (error) {
      throw error instanceof Refused && error.refusal.code === 'not-logged-in' ? new Refused('login-to-post') : error;
    }
  }
}
