import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { replaceFile } from '../shared/replace-file.js';

/** The box drops its oldest mails beyond this count. */
export const MESSAGES_KEPT = 500;

export interface Message {
  id: string;
  receivedAtEpochMs: number;
  /** The envelope's addresses; the message's header may name others. */
  from: string;
  to: string[];
  subject: string;
  /** The sender's name in the message's header. */
  sender: string;
  /** The game's mails have both; empty in a mail without it. */
  text: string;
  html: string;
}

/** A mail as received: the addresses of the SMTP envelope, and the message's bytes. */
type StoredMail = Pick<Message, 'id' | 'receivedAtEpochMs' | 'from' | 'to'> & { rawBase64: string };

const FILE = /^\d{15}-[0-9a-f]{8}\.json$/;

/** Keeps mails in memory and, given a folder, each in a file that outlives a restart. Stores a mail before confirming it. */
export class MailBox {
  /** Oldest first: ids begin with the time. */
  private messages: Message[] = [];

  private constructor(
    private readonly folder: string | null,
    private readonly now: () => number,
  ) {}

  static async open(folder: string | null, now: () => number): Promise<MailBox> {
    const box = new MailBox(folder, now);
    if (folder === null) return box;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of (await readdir(folder)).sort()) {
      // A crash can leave an unfinished file. Its sender got no confirmation and will send the mail again.
      if (name.endsWith('.new')) await rm(join(folder, name));
      if (!FILE.test(name)) continue;
      const mail = JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredMail;
      box.messages.push(await parse(mail, Buffer.from(mail.rawBase64, 'base64')));
    }
    await box.dropOldest();
    return box;
  }

  async receive({ from, to, raw }: Pick<StoredMail, 'from' | 'to'> & { raw: Buffer }): Promise<Message> {
    const receivedAtEpochMs = this.now();
    const id = `${String(receivedAtEpochMs).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
    const mail: StoredMail = { id, receivedAtEpochMs, from, to, rawBase64: raw.toString('base64') };
    const message = await parse(mail, raw);
    if (this.folder !== null) await replaceFile(join(this.folder, `${id}.json`), JSON.stringify(mail));
    this.messages.push(message);
    await this.dropOldest();
    return message;
  }

  /** Newest first. */
  list(): Message[] {
    return this.messages.toReversed();
  }

  find(id: string): Message | undefined {
    return this.messages.find((message) => message.id === id);
  }

  async delete(id: string): Promise<void> {
    if (this.folder !== null && this.find(id)) await rm(join(this.folder, `${id}.json`), { force: true });
    this.messages = this.messages.filter((message) => message.id !== id);
  }

  private async dropOldest(): Promise<void> {
    for (const { id } of this.messages.slice(0, -MESSAGES_KEPT)) await this.delete(id);
  }
}

async function parse({ id, receivedAtEpochMs, from, to }: StoredMail, raw: Buffer): Promise<Message> {
  const email = await PostalMime.parse(raw);
  return {
    id,
    receivedAtEpochMs,
    from,
    to,
    subject: email.subject ?? '',
    sender: email.from?.name || email.from?.address || from,
    text: email.text ?? '',
    html: email.html ?? '',
  };
}
