import { createWriteStream, existsSync, renameSync, statSync, type WriteStream } from 'node:fs';

const LIMIT_BYTES = 10 * 1024 * 1024;
const RETRY_MS = 10_000;

/** A process's output in a file that rotates once. A full disk loses lines but never stops the process. */
export class ProcessLog {
  private stream: WriteStream | undefined;
  private sizeBytes = 0;
  private pausedUntilMonotonicMs = 0;
  private ended = false;

  /** @param onFailure called when a write fails; writing resumes ten seconds later */
  constructor(
    private readonly path: string,
    private readonly onFailure: (error: Error) => void,
    private readonly limitBytes = LIMIT_BYTES,
  ) {}

  write(line: string): void {
    if (this.ended || performance.now() < this.pausedUntilMonotonicMs) return;
    if (this.stream === undefined || this.sizeBytes > this.limitBytes) this.stream = this.open();
    this.stream.write(`${line}\n`);
    this.sizeBytes += Buffer.byteLength(line) + 1;
  }

  end(): void {
    this.ended = true;
    this.stream?.end();
  }

  private open(): WriteStream {
    const exists = existsSync(this.path);
    // An open stream's bytes may not be in the file yet, so only a new stream reads the file's size.
    if (this.stream === undefined) this.sizeBytes = exists ? statSync(this.path).size : 0;
    this.stream?.end();
    if (this.sizeBytes > this.limitBytes) {
      if (exists) renameSync(this.path, `${this.path}.1`);
      this.sizeBytes = 0;
    }
    const stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    return stream.on('error', (error) => {
      if (this.stream !== stream) return;
      this.stream = undefined;
      this.pausedUntilMonotonicMs = performance.now() + RETRY_MS;
      this.onFailure(error);
    });
  }
}
