import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** The oldest mails go when there are more, or when they take more room. */
export const MESSAGES_KEPT = 500;
const BYTES_KEPT = 64 * 1024 * 1024;

/** A mail as it came: who it was handed over for, and its bytes. */
export interface Envelope {
  from: string;
  to: string[];
  raw: Buffer;
}

export interface Message {
  id: string;
  receivedAtEpochMs: number;
  /** Of the envelope: where it really goes, whatever its header says. */
  from: string;
  to: string[];
  subject: string;
  /** As the header names the sender. */
  sender: string;
  text: string | null;
  html: string | null;
  attachments: { name: string; sizeBytes: number }[];
  sizeBytes: number;
}

interface StoredMail {
  id: string;
  receivedAtEpochMs: number;
  from: string;
  to: string[];
  rawBase64: string;
}

const FILE = /^\d{15}-[0-9a-f]{8}\.json$/;

/** Keeps mails in memory and, with a folder, one file each over restarts. A mail is kept before it is confirmed. */
export class MailBox {
  /** Oldest first: ids begin with the time. */
  private messages: Message[] = [];
  private changing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly folder: string | null,
    private readonly now: () => number,
  ) {}

  static async open(folder: string | null, now: () => number): Promise<MailBox> {
    const box = new MailBox(folder, now);
    if (folder === null) return box;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of (await readdir(folder)).sort()) {
      // A crash can leave a file that was not renamed yet; its sender was told nothing and has kept the mail.
      if (name.endsWith('.new')) await rm(join(folder, name));
      if (!FILE.test(name)) continue;
      const mail = JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredMail;
      box.messages.push(await parsed(mail, Buffer.from(mail.rawBase64, 'base64')));
    }
    await box.dropOldest();
    return box;
  }

  receive(envelope: Envelope): Promise<Message> {
    return this.inTurn(() => this.store(envelope));
  }

  /** Newest first; those handed over for one address when it is named. */
  list(to?: string): Message[] {
    const wanted = to?.trim().toLowerCase();
    const isWanted = (message: Message) =>
      wanted === undefined || message.to.some((one) => one.toLowerCase() === wanted);
    return this.messages.filter(isWanted).reverse();
  }

  find(id: string): Message | undefined {
    return this.messages.find((message) => message.id === id);
  }

  clear(): Promise<void> {
    return this.inTurn(async () => {
      while (this.messages.length > 0) await this.dropFirst();
    });
  }

  /** One change after the other, so that what is dropped is always the oldest, and nothing else. */
  private inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.changing.then(change);
    this.changing = changed.catch(() => undefined);
    return changed;
  }

  private async store({ from, to, raw }: Envelope): Promise<Message> {
    const receivedAtEpochMs = this.now();
    const id = `${String(receivedAtEpochMs).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
    const mail: StoredMail = { id, receivedAtEpochMs, from, to, rawBase64: raw.toString('base64') };
    const message = await parsed(mail, raw);
    if (this.folder !== null) await writeWhole(join(this.folder, `${id}.json`), JSON.stringify(mail));
    this.messages.push(message);
    await this.dropOldest();
    return message;
  }

  private async dropOldest(): Promise<void> {
    let bytes = this.messages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    while (this.messages.length > MESSAGES_KEPT || bytes > BYTES_KEPT) bytes -= await this.dropFirst();
  }

  private async dropFirst(): Promise<number> {
    const [oldest, ...others] = this.messages;
    if (oldest === undefined) return 0;
    if (this.folder !== null) await rm(join(this.folder, `${oldest.id}.json`), { force: true });
    this.messages = others;
    return oldest.sizeBytes;
  }
}

async function parsed({ id, receivedAtEpochMs, from, to }: StoredMail, raw: Buffer): Promise<Message> {
  const email = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  return {
    id,
    receivedAtEpochMs,
    from,
    to,
    subject: email.subject ?? '',
    sender: email.from?.name || email.from?.address || from,
    text: email.text ?? null,
    html: email.html ?? null,
    attachments: email.attachments.map(({ filename, content }) => ({
      name: filename ?? 'without a name',
      sizeBytes: typeof content === 'string' ? content.length : content.byteLength,
    })),
    sizeBytes: raw.length,
  };
}

/** Either the whole file is there, also after a crash, or none. */
async function writeWhole(path: string, content: string): Promise<void> {
  const aside = `${path}.new`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
}
