import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { JsonFile } from '../shared/json-file.js';

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

/** The received mails, oldest first. Stores a mail before confirming it. */
export class MailBox {
  private constructor(private readonly file: JsonFile<{ messages: Message[] }>) {}

  /** @param folder keeps the mails across restarts */
  static async open(folder: string | undefined): Promise<MailBox> {
    return new MailBox(await JsonFile.open(folder && join(folder, 'mails.json'), { messages: [] as Message[] }));
  }

  async receive({ from, to, raw }: Pick<Message, 'from' | 'to'> & { raw: Buffer }): Promise<Message> {
    const email = await PostalMime.parse(raw);
    const message: Message = {
      id: randomUUID(),
      receivedAtEpochMs: Date.now(),
      from,
      to,
      subject: email.subject ?? '',
      sender: email.from?.name || email.from?.address || from,
      text: email.text ?? '',
      html: email.html ?? '',
    };
    await this.replace([...this.list(), message].slice(-MESSAGES_KEPT));
    return message;
  }

  list(): readonly Message[] {
    return this.file.records.messages;
  }

  find(id: string): Message | undefined {
    return this.list().find((message) => message.id === id);
  }

  delete(id: string): Promise<void> {
    return this.replace(this.list().filter((message) => message.id !== id));
  }

  private replace(messages: Message[]): Promise<void> {
    this.file.records.messages = messages;
    this.file.isChanged = true;
    return this.file.flush();
  }
}
