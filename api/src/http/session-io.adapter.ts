import type { NestExpressApplication } from '@nestjs/platform-express';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { RequestHandler } from 'express';
import type { Server, ServerOptions } from 'socket.io';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { isAllowedOrigin } from './origin.js';
import type { SocketLimit } from './socket-limit.js';

/**
 * Socket.IO at the contract's path, on the same sessions as HTTP: in a gateway,
 * `socket.request.session.gamerId` is who connected, or undefined for a visitor.
 */
export class SessionIoAdapter extends IoAdapter {
  constructor(
    app: NestExpressApplication,
    private readonly sessionMiddleware: RequestHandler,
    private readonly allowedOrigins: readonly string[],
    private readonly limit: SocketLimit,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const ours: Partial<ServerOptions> = {
      ...options,
      path: SOCKET_PATH,
      serveClient: false,
      // A browser does not keep other sites' pages from opening sockets; this does.
      allowRequest: (request, decide) =>
        decide(null, isAllowedOrigin(request, this.allowedOrigins) && this.limit.allows(request)),
      // Clients send a few bytes at most (time:sync).
      maxHttpBufferSize: 10_000,
    };
    const io = super.createIOServer(port, ours as ServerOptions) as Server;
    io.engine.use(this.sessionMiddleware);
    this.limit.watch(io);
    return io;
  }
}
