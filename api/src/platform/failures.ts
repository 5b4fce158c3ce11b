import { type PlainRefusalCode, type Refusal, refusalText } from '../../../contracts/refusals.js';
import { isLogOutage } from '../../../event-log/event-log.types.js';
import { isPostgresOutage } from '../../../event-log/postgres.js';

/** A refused command or query. The filter returns `{ error: text, code }` with the code's status. */
export class Refused extends Error {
  readonly refusal: Refusal;

  /** A code alone suffices for a refusal without parameters. */
  constructor(refusal: Refusal | PlainRefusalCode) {
    const full = typeof refusal === 'string' ? { code: refusal } : refusal;
    super(refusalText(full));
    this.refusal = full;
  }
}

/** A malformed request: always answered with 400, whatever the code's own status. */
export class InvalidRequest extends Error {
  constructor(
    readonly code: PlainRefusalCode,
    text = refusalText({ code }),
  ) {
    super(text);
  }
}

/** A store is unreachable or did not confirm: answered with 503, and worth a retry. The message goes to the log only. */
export class Unavailable extends Error {}

/** Whether the same may succeed a moment later: a store is unavailable or did not confirm, or this node's clock is not trusted. */
export const isOutage = (error: unknown): error is Error =>
  error instanceof Unavailable ||
  isLogOutage(error) ||
  isPostgresOutage(error) ||
  (error instanceof Refused && error.refusal.code === 'clock-untrusted');
