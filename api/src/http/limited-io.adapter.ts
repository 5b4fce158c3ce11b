import type { IncomingMessage } from 'node:http';
import { type INestApplication, Logger } from '@nestjs/common';
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
  private readonly limit: SocketLimit;

  constructor(
    private readonly nest: INestApplication,
    private readonly config: Config,
  ) {
    super(nest);
    this.limit = new SocketLimit(config);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const merged: Partial<ServerOptions> = {
      ...options,
      path: SOCKET_PATH,
      serveClient: false,
      // Browsers let pages of other sites open sockets, so the origin is checked here.
      allowRequest: (request, decide) =>
        decide(null, isAllowedOrigin(request, this.config.publicOrigins) && this.limit.allows(request)),
      // Clients send a few bytes at most (time:sync).
      maxHttpBufferSize: 10_000,
    };
    const io = super.createIOServer(port, merged as ServerOptions) as Server;
    io.engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) =>
      next(hasTwoHosts(request) ? new Error('two hosts') : undefined),
    );
    this.limit.watch(io);
    this.limitMessages(io);
    this.countSockets(io);
    return io;
  }

  private countSockets(io: Server): void {
    new Gauge({
      name: 'live_sockets',
      help: 'Open sockets of this node.',
      registers: [this.nest.get(Registry)],
      collect() {
        this.set(io.engine.clientsCount);
      },
    });
  }

  /** Disconnects a socket that sends too many messages, or whose address does. */
  private limitMessages(io: Server): void {
    const { attemptLimits: limits } = this.config;
    if (!limits) return;
    const perSocket = new RateLimiterMemory({ points: limits.messagesPerSocket, duration: MESSAGES_WINDOW_SECONDS });
    const perAddress = new RateLimiterMemory({ points: limits.messagesPerAddress, duration: MESSAGES_WINDOW_SECONDS });
    io.on('connection', (socket) => {
      const address = this.limit.addressOf(socket.request);
      socket.use((_message, next) => {
        Promise.all([perSocket.consume(socket.id), perAddress.consume(address)]).then(
          () => next(),
          () => socket.disconnect(true),
        );
      });
    });
  }
}

/** Limits the open sockets per address on this node: each costs memory and a share of every broadcast. */
class SocketLimit {
  private readonly logger = new Logger('live');
  private readonly open = new Map<string, number>();

  /** Null allows any number. */
  private readonly limit: number | null;
  private readonly isTrusted: (address: string, hop: number) => boolean;

  constructor(config: Config) {
    this.limit = config.attemptLimits?.socketsPerAddress ?? null;
    this.isTrusted = isTrustedProxy(config);
  }

  allows(request: IncomingMessage): boolean {
    return this.limit === null || (this.open.get(this.addressOf(request)) ?? 0) < this.limit;
  }

  watch({ engine }: Server): void {
    engine.on('connection', (socket: { request: IncomingMessage; once(name: 'close', done: () => void): void }) => {
      const address = this.addressOf(socket.request);
      const count = (this.open.get(address) ?? 0) + 1;
      this.open.set(address, count);
      if (count === this.limit) {
        this.logger.warn(
          `an address has reached the limit of ${count} open sockets; if it is a proxy, see TRUST_PROXY`,
        );
      }
      socket.once('close', () => {
        const left = (this.open.get(address) ?? 1) - 1;
        if (left > 0) this.open.set(address, left);
        else this.open.delete(address);
      });
    });
  }

  addressOf(request: IncomingMessage): string {
    return networkOf(addressOf(request, this.isTrusted));
  }
}
