import { createWriteStream, existsSync, renameSync, statSync, type WriteStream } from 'node:fs';

const LIMIT_BYTES = 10 * 1024 * 1024;

/** A process's output in a file that rotates once. A full disk loses lines but never stops the process. */
export class ProcessLog {
  private stream: WriteStream;
  private sizeBytes: number;

  constructor(
    private readonly path: string,
    private readonly onFailure: (error: Error) => void,
    private readonly limitBytes = LIMIT_BYTES,
  ) {
    this.sizeBytes = existsSync(path) ? statSync(path).size : 0;
    this.stream = this.open();
  }

  write(line: string): void {
    if (this.sizeBytes > this.limitBytes) {
      this.stream.end();
      renameSync(this.path, `${this.path}.1`);
      this.sizeBytes = 0;
      this.stream = this.open();
    }
    this.stream.write(`${line}\n`);
    this.sizeBytes += Buffer.byteLength(line) + 1;
  }

  end(): void {
    this.stream.end();
  }

  private open(): WriteStream {
    // After a failed write the stream takes no more lines; the next start of the process opens the file again.
    return createWriteStream(this.path, { flags: 'a', mode: 0o600 }).on('error', this.onFailure);
  }
}
