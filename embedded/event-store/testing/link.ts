import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP link to a server. A test can freeze it, as a stopped process or a cut cable would, or kill and revive it. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private held: (() => void)[] = [];
  private isFrozen = false;
  private server!: Server;
  port = 0;

  private constructor(private readonly targetPort: number) {}

  static async to(targetPort: number): Promise<Link> {
    const link = new Link(targetPort);
    await link.revive();
    return link;
  }

  /** Holds back all bytes in both directions until `thaw`. Connections stay open, and new ones can be made. */
  freeze(): void {
    this.isFrozen = true;
  }

  thaw(): void {
    this.isFrozen = false;
    for (const deliver of this.held.splice(0)) deliver();
  }

  /** Refuses new connections; open ones stay. */
  close(): void {
    this.server.close();
  }

  async kill(): Promise<void> {
    const closed = once(this.server, 'close');
    this.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.held = [];
    this.isFrozen = false;
  }

  async revive(): Promise<void> {
    this.server = createServer((socket) => this.accept(socket));
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private accept(client: Socket): void {
    const upstream = connect(this.targetPort, '127.0.0.1');
    this.forward(client, upstream);
    this.forward(upstream, client);
  }

  private forward(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (bytes) => this.pass(() => to.write(bytes)));
    from.on('error', () => {});
    from.on('close', () => {
      this.sockets.delete(from);
      this.pass(() => to.destroy());
    });
  }

  private pass(action: () => void): void {
    if (this.isFrozen) this.held.push(action);
    else action();
  }
}
