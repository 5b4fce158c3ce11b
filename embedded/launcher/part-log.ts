import { createWriteStream, existsSync, renameSync, statSync, type WriteStream } from 'node:fs';

const LIMIT_BYTES = 10 * 1024 * 1024;
const RETRY_MS = 10_000;

/** What a part prints, in a file and the one before it. A disk that is full costs lines, never the part. */
export class PartLog {
  private stream: WriteStream | undefined;
  private sizeBytes = 0;
  private closedUntilMs = 0;
  private ended = false;

  /** @param onFailure told when the log can no longer be written to; it is tried again later */
  constructor(
    private readonly path: string,
    private readonly onFailure: (error: Error) => void,
    private readonly limitBytes = LIMIT_BYTES,
  ) {}

  write(line: string): void {
    if (this.ended || performance.now() < this.closedUntilMs) return;
    if (this.stream === undefined || this.sizeBytes > this.limitBytes) this.stream = this.open();
    this.stream.write(`${line}\n`);
    this.sizeBytes += Buffer.byteLength(line) + 1;
  }

  end(): void {
    this.ended = true;
    this.stream?.end();
  }

  private open(): WriteStream {
    const isThere = existsSync(this.path);
    // What was written to an open stream counts, though it may still be on its way to the file.
    if (this.stream === undefined) this.sizeBytes = isThere ? statSync(this.path).size : 0;
    this.stream?.end();
    if (this.sizeBytes > this.limitBytes) {
      if (isThere) renameSync(this.path, `${this.path}.1`);
      this.sizeBytes = 0;
    }
    const stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    return stream.on('error', (error) => {
      if (this.stream !== stream) return;
      this.stream = undefined;
      this.closedUntilMs = performance.now() + RETRY_MS;
      this.onFailure(error);
    });
  }
}
