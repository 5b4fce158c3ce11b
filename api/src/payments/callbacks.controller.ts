import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IpnResponse } from '../../../contracts/http/payments.js';
import { CALLBACK_PATH } from '../platform/config.js';
import { CallbackInbox } from './callback-inbox.js';
import { PaymentGateway } from './gateway/payment-gateway.js';

/** Called by the gateway, which has no session and no origin: the signature alone proves the sender. */
@Controller()
export class CallbacksController {
  constructor(
    private readonly inbox: CallbackInbox,
    private readonly gateway: PaymentGateway,
  ) {}

  /** The payment gateway’s callback, proved by its signature. */
  @Post(CALLBACK_PATH)
  @HttpCode(200)
  async receive(@Req() request: FastifyRequest): Promise<IpnResponse> {
    // The raw bytes (see http/body.ts), because the signature covers exactly them. Without a body there is no Buffer.
    const body: unknown = request.body;
    const signature = request.headers[this.gateway.signatureHeader.toLowerCase()];
    await this.inbox.receive(
      Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      typeof signature === 'string' ? signature : undefined,
    );
    return { received: true };
  }
}
