/** Set by the client on a command it may repeat: the repeat is answered with the first one's result. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** On a command's answer: the log position of its last event. */
export const POSITION = 'X-Position';
/** On a query: answer only once the read models have reached this position (2 s at most). */
export const AFTER_POSITION = 'X-After-Position';

/** Every failure's body. */
export interface ErrorBody {
  error: string;
}
