import { Injectable } from '@nestjs/common';

/** The server's clock, as an argument: tests bring their own. */
@Injectable()
export class Clock {
  /** Epoch milliseconds. */
  now(): number {
    return Date.now();
  }
}
