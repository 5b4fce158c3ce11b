import { type Refusal, type RefusalCode, refusalText } from '../../../contracts/messages.js';

/** A command or query was not carried out, and why. The filter answers `{ error: text }` with the code's status. */
export class Refused extends Error {
  readonly refusal: Refusal;

  /** A code alone suffices for a refusal whose text needs no numbers. */
  constructor(refusal: Refusal | PlainRefusalCode) {
    const full = typeof refusal === 'string' ? ({ code: refusal } as Refusal) : refusal;
    super(refusalText(full));
    this.refusal = full;
  }
}

type PlainRefusalCode = {
  [C in RefusalCode]: { code: C } extends Extract<Refusal, { code: C }> ? C : never;
}[RefusalCode];

/** A store cannot be reached or did not confirm: 503, and worth repeating. The message is for the log only. */
export class Unavailable extends Error {}
