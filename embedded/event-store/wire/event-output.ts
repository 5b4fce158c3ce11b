import { firstVisibleRevision, isSoftDeleted } from '../core/stream-state.js';
import { FrameView } from '../log/event-frame.js';
import type { EventLog } from '../log/event-log.js';
import type { ReadPlan } from '../read/read-plan.js';
import { bytesOf, reversed, type Span } from '../read/span.js';
import { oldestVisibleMs } from '../read/stream-source.js';
import type { GrpcCall } from './grpc-call.js';
import { readEvent, withStructuredId } from './read-answers.js';
import { NAME_LIMIT } from './stream-names.js';

const LINK_TYPE = '$>';
/** What is gathered before it is sent. */
const GATHERED_BYTES = 128 * 1024;
/** A reader that stalls keeps one write in memory, however large the events are. */
const WRITE_LIMIT_BYTES = 256 * 1024;

/** Sends spans of events and other messages to the reader in order, as fast as it reads. */
export class EventOutput {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** Events can leave as they lie in the log. */
  private readonly asStored: boolean;

  constructor(
    private readonly call: GrpcCall,
    private readonly log: EventLog,
    private readonly plan: ReadPlan,
    /** Whether this reader may read a stream that a link leads to. */
    private readonly mayRead: (stream: string) => Promise<boolean>,
  ) {
    this.asStored = !plan.resolveLinks && !plan.structuredIds;
  }

  async events(span: Span): Promise<void> {
    if (this.asStored) return this.add(bytesOf(span));
    for (const event of reversed(span).reverse()) await this.add(await this.rewritten(event));
  }

  /** A message that is no event. */
  message(frame: Buffer): Promise<void> {
    return this.add(frame);
  }

  /** Sends what is gathered. */
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

  private async add(frames: Buffer): Promise<void> {
    this.waiting.push(frames);
    this.waitingBytes += frames.length;
    if (this.waitingBytes >= GATHERED_BYTES) await this.flush();
  }

  private async rewritten(event: Span): Promise<Buffer> {
    const frame = new FrameView(event.run.bytes, event.from);
    const isLink = this.plan.resolveLinks && frame.type === LINK_TYPE;
    if (!isLink && !this.plan.structuredIds) return bytesOf(event);
    const recorded = this.recorded(frame);
    if (!isLink) return readEvent({ event: recorded, link: undefined, position: frame.position });
    const linked = await this.resolve(frame.data.toString('utf8'));
    return readEvent({ event: linked && this.recorded(linked), link: recorded, position: frame.position });
  }

  private recorded(frame: FrameView): Buffer {
    return this.plan.structuredIds ? withStructuredId(frame.recorded, frame.id) : frame.recorded;
  }

  /** @param target `revision@stream` */
  private async resolve(target: string): Promise<FrameView | undefined> {
    const match = /^(\d+)@(.+)$/s.exec(target);
    if (match === null) return undefined;
    const revision = Number(match[1]);
    const stream = match[2]!;
    if (stream.length > NAME_LIMIT) return undefined;
    const view = await this.log.view(stream);
    const hidden = view.tombstoned || isSoftDeleted(view) || revision < firstVisibleRevision(view);
    if (hidden || revision > view.lastRevision || !(await this.mayRead(stream))) return undefined;
    const [linked] = await this.log.eventsAt(stream, revision, 1);
    const oldestMs = oldestVisibleMs(view.metadata.maxAgeSeconds);
    return linked !== undefined && oldestMs !== undefined && linked.createdMs < oldestMs ? undefined : linked;
  }
}
