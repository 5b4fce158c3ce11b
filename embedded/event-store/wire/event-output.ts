import { firstVisibleRevision, isSoftDeleted } from '../core/stream.js';
import type { FrameView } from '../log/event-frame.js';
import type { EventLog } from '../log/event-log.js';
import { MessageWriter } from '../log/protobuf.js';
import { oldestVisibleMs } from '../read/sources.js';
import { bytesOf, eventsOf, frameOf, type Span } from '../read/span.js';
import { NAME_LIMIT } from './append-requests.js';
import type { GrpcCall } from './grpc-call.js';

const LINK_TYPE = '$>';
/** Bytes that are gathered before they are sent. */
const GATHERED_BYTES = 128 * 1024;
/** Bytes per write: a stalled reader keeps one write in memory, however large its events are. */
const WRITE_LIMIT_BYTES = 256 * 1024;

/** Sends spans of events and other messages to the reader, in order and as fast as it reads. */
export class EventOutput {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(
    private readonly call: GrpcCall,
    private readonly log: EventLog,
    private readonly resolvesLinks: boolean,
    /** Whether this reader may read a stream that a link leads to. */
    private readonly mayRead: (stream: string) => Promise<boolean>,
  ) {}

  async events(span: Span): Promise<void> {
    if (!this.resolvesLinks) return this.frames(bytesOf(span));
    for (const event of eventsOf(span)) await this.frames(await this.resolved(event));
  }

  /** Sends framed messages. */
  async frames(frames: Buffer): Promise<void> {
    this.waiting.push(frames);
    this.waitingBytes += frames.length;
    if (this.waitingBytes >= GATHERED_BYTES) await this.flush();
  }

  /** Sends the gathered messages. */
  async flush(): Promise<void> {
    const parts = this.waiting;
    if (parts.length === 0) return;
    this.waiting = [];
    this.waitingBytes = 0;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    for (let start = 0; start < bytes.length; start += WRITE_LIMIT_BYTES) {
      await this.call.send(bytes.subarray(start, start + WRITE_LIMIT_BYTES));
    }
  }

  /** Returns an event's frame. A link's frame holds the link and, if there is one, the linked event. */
  private async resolved(event: Span): Promise<Buffer> {
    const link = frameOf(event);
    if (link.type !== LINK_TYPE) return bytesOf(event);
    const linked = await this.linkedEvent(link.data.toString());
    const response = new MessageWriter().message(1, (readEvent) => {
      readEvent.varint(3, link.position).bytes(2, link.recorded);
      if (linked !== undefined) readEvent.bytes(1, linked.recorded);
    });
    return response.frame();
  }

  /** @param target `revision@stream` */
  private async linkedEvent(target: string): Promise<FrameView | undefined> {
    const [, revisionText, stream] = /^(\d+)@(.+)$/s.exec(target) ?? [];
    if (stream === undefined || stream.length > NAME_LIMIT) return undefined;
    const revision = Number(revisionText);
    const view = await this.log.view(stream);
    const hidden = view.tombstoned || isSoftDeleted(view) || revision < firstVisibleRevision(view);
    if (hidden || revision > view.lastRevision || !(await this.mayRead(stream))) return undefined;
    const [linked] = await this.log.eventsAt(stream, revision, 1);
    return linked !== undefined && linked.createdMs < (oldestVisibleMs(view) ?? 0) ? undefined : linked;
  }
}
