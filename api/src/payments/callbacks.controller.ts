import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { IpnResponse } from '../../../contracts/http/payments.js';
import { CallbackInbox } from './callback-inbox.js';
import { CALLBACK_PATH } from './payments.config.js';

/** Whom the gateway calls: without session or origin, known by its signature alone. */
@Controller()
export class CallbacksController {
  constructor(private readonly inbox: CallbackInbox) {}

  /** The payment gateway’s callback, known by its signature. */
  @Post(CALLBACK_PATH)
  @HttpCode(200)
  async receive(
    @Req() request: Request,
    @Headers('x-nowpayments-sig') signature: string | undefined,
  ): Promise<IpnResponse> {
    // Raw, because what is signed are these very bytes (see http/body.ts); an empty body is none.
    const body: unknown = request.body;
    await this.inbox.receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature);
    return { received: true };
  }
}
