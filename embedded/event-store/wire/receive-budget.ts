import { GrpcError, Status } from './grpc-status.js';

/**
 * How much of what clients have sent may lie in memory, not yet committed or refused, over all calls together: each call
 * alone has its own limits, but there may be thousands of calls.
 */
export class ReceiveBudget {
  private heldBytes = 0;

  constructor(private readonly limitBytes: number) {}

  /** @throws GrpcError RESOURCE_EXHAUSTED when there is no room, and then counts nothing */
  take(bytes: number): void {
    if (bytes > 0 && this.heldBytes + bytes > this.limitBytes) {
      throw new GrpcError(Status.RESOURCE_EXHAUSTED, 'Too much is being sent to the server at once.');
    }
    this.heldBytes += bytes;
  }

  giveBack(bytes: number): void {
    this.heldBytes -= bytes;
  }
}
