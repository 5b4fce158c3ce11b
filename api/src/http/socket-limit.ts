import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import proxyAddress from 'proxy-addr';
import type { Server } from 'socket.io';
import { networkOf } from '../accounts/address.js';

/** How many sockets one address keeps open on this node: each costs memory and a part of every message to all. */
export class SocketLimit {
  private readonly logger = new Logger('live');
  private readonly open = new Map<string, number>();

  /** @param limit null: none */
  constructor(
    private readonly app: NestExpressApplication,
    private readonly limit: number | null,
  ) {}

  /** Whether this request may open one more. */
  allows(request: IncomingMessage): boolean {
    return this.limit === null || (this.open.get(this.addressOf(request)) ?? 0) < this.limit;
  }

  /** Counts a server's sockets from when they are opened until they are closed. */
  watch({ engine }: Server): void {
    engine.on('connection', (socket: { request: IncomingMessage; once(name: 'close', done: () => void): void }) => {
      const address = this.addressOf(socket.request);
      const now = (this.open.get(address) ?? 0) + 1;
      this.open.set(address, now);
      if (now === this.limit) {
        this.logger.warn(`an address has ${now} sockets open and gets no more; if it is a proxy's, see TRUST_PROXY`);
      }
      socket.once('close', () => {
        const left = (this.open.get(address) ?? 1) - 1;
        if (left > 0) this.open.set(address, left);
        else this.open.delete(address);
      });
    });
  }

  /** As Express finds a request's address: past the proxies that are believed. */
  private addressOf(request: IncomingMessage): string {
    // Who has gone already has no address any more.
    if (request.socket.remoteAddress === undefined) return 'unknown';
    return networkOf(proxyAddress(request, this.app.getHttpAdapter().getInstance().get('trust proxy fn')));
  }
}
