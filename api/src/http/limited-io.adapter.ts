import type { IncomingMessage } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { Gauge, Registry } from 'prom-client';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Server, ServerOptions } from 'socket.io';
import { SOCKET_PATH } from '../../../contracts/live.js';
import type { Config } from '../platform/config.js';
import { hasTwoHosts } from './body.js';
import { addressOf, isTrustedProxy, networkOf } from './client-address.js';
import { isAllowedOrigin } from './security-headers.js';

const MESSAGES_WINDOW_SECONDS = 10;

/** Serves Socket.IO at the contract's path, to our own pages, within the limits per address. */
export class LimitedIoAdapter extends IoAdapter {
  /** Open sockets by address: each costs memory and a share of every broadcast. */
  private readonly open = new Map<string, number>();
  private readonly isTrusted: (address: string, hop: number) => boolean;

  constructor(
    private readonly nest: INestApplication,
    private readonly config: Config,
  ) {
    super(nest);
    this.isTrusted = isTrustedProxy(config);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const merged: Partial<ServerOptions> = {
      ...options,
      path: SOCKET_PATH,
      serveClient: false,
      // Browsers let pages of other sites open sockets, so the origin is checked here.
      allowRequest: (request, decide) => {
        const { publicOrigins, attemptLimits } = this.config;
        const openOfAddress = this.open.get(this.addressOf(request)) ?? 0;
        decide(null, isAllowedOrigin(request, publicOrigins) && openOfAddress < attemptLimits.socketsPerAddress);
      },
      // Clients send a few bytes at most (time:sync).
      maxHttpBufferSize: 10_000,
    };
    const io = super.createIOServer(port, merged as ServerOptions) as Server;
    io.engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) =>
      next(hasTwoHosts(request) ? new Error('two hosts') : undefined),
    );
    this.countOpenSockets(io);
    this.limitMessages(io);
    new Gauge({
      name: 'live_sockets',
      help: 'Open sockets of this node.',
      registers: [this.nest.get(Registry)],
      collect() {
        this.set(io.engine.clientsCount);
      },
    });
    return io;
  }

  private limitMessages(io: Server): void {
    const { messagesPerSocket, messagesPerAddress } = this.config.attemptLimits;
    const perSocket = new RateLimiterMemory({ points: messagesPerSocket, duration: MESSAGES_WINDOW_SECONDS });
    const perAddress = new RateLimiterMemory({ points: messagesPerAddress, duration: MESSAGES_WINDOW_SECONDS });
    io.on('connection', (socket) => {
      const address = this.addressOf(socket.request);
      socket.use((_message, next) => {
        Promise.all([perSocket.consume(socket.id), perAddress.consume(address)]).then(
          () => next(),
          () => socket.disconnect(true),
        );
      });
    });
  }

  private countOpenSockets({ engine }: Server): void {
    engine.on('connection', (socket: { request: IncomingMessage; once(name: 'close', done: () => void): void }) => {
      const address = this.addressOf(socket.request);
      this.open.set(address, (this.open.get(address) ?? 0) + 1);
      socket.once('close', () => {
        const left = (this.open.get(address) ?? 1) - 1;
        if (left > 0) this.open.set(address, left);
        else this.open.delete(address);
      });
    });
  }

  private addressOf(request: IncomingMessage): string {
    return networkOf(addressOf(request, this.isTrusted));
  }
}
