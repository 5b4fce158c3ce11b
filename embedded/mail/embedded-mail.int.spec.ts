import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Message } from './mail-box.js';
import { MailBox, MESSAGES_KEPT } from './mail-box.js';
import { type EmbeddedMail, MAIL_LIMIT_BYTES, startEmbeddedMail } from './start-embedded-mail.js';

const RESET: SendMailOptions = {
  from: '"Omni Jackpot" <no-reply@omni-jackpot.example>',
  to: 'Ada@example.org',
  subject: 'Reset your password — für Ada ✓',
  text: 'Open https://omni.example/reset-password?token=abc&x=1. It holds for an hour.\n<script>alert(1)</script>',
  html: '<p>Open <a href="https://omni.example/reset-password?token=abc">this link</a>.</p><script>alert(1)</script>',
};

describe('the embedded mail server', () => {
  let folder: string;
  let mail: EmbeddedMail;
  let clockMs: number;

  beforeEach(async () => {
    clockMs = Date.UTC(2026, 0, 1);
    folder = await mkdtemp(join(tmpdir(), 'omni-mail-'));
    mail = await start();
  });

  afterEach(async () => {
    await mail.close();
    await rm(folder, { recursive: true });
  });

  const start = () => startEmbeddedMail({ dataDir: folder, now: () => clockMs++ });
  const send = (options: SendMailOptions, login?: { user: string; pass: string }) =>
    createTransport({ url: mail.smtpUrl, ...(login && { auth: login }) }).sendMail(options);
  const list = async (): Promise<Message[]> => (await (await fetch(`${mail.url}/messages`)).json()) as Message[];
  const text = async (path: string) => (await fetch(mail.url + path)).text();

  it('accepts a login as a real server does', async () => {
    await send(RESET, { user: 'shop', pass: 'any' });
    expect(await list()).toHaveLength(1);
  });

  it('lists the newest first, each with its recipients, including Bcc', async () => {
    await send({ ...RESET, subject: 'first' });
    await send({ ...RESET, subject: 'second', to: 'bob@example.org', bcc: 'ada@example.org' });
    await send({ ...RESET, subject: 'third', to: 'bob@example.org' });
    expect(await list()).toMatchObject([
      { subject: 'third', to: ['bob@example.org'] },
      { subject: 'second', to: ['bob@example.org', 'ada@example.org'] },
      { subject: 'first', to: ['Ada@example.org'] },
    ]);
  });

  it('keeps its mails across a restart, and removes a file that a crash left unfinished', async () => {
    await send(RESET);
    const before = await list();
    await writeFile(join(folder, '000000000000001-00000000.json.new'), '{"id":');
    await mail.close();
    mail = await start();
    expect(await list()).toEqual(before);
    expect(await readdir(folder)).toEqual([`${before[0]?.id}.json`]);
  });

  it('shows a list and a mail without running the mail’s scripts', async () => {
    await send(RESET);
    const [message] = await list();
    const listed = await text('/');
    expect(listed).toContain('Ada@example.org');
    expect(listed).not.toContain('<script>alert');
    const page = await text(`/mail/${message?.id}`);
    expect(page).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    const frame = await fetch(`${mail.url}/mail/${message?.id}/html`);
    expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups [^;]+; default-src 'none'/);
  });

  it('refuses a mail that is too large, and accepts the next one', async () => {
    const attachments = [{ filename: 'large', content: Buffer.alloc(MAIL_LIMIT_BYTES) }];
    await expect(send({ ...RESET, attachments })).rejects.toMatchObject({ responseCode: 552 });
    await send(RESET);
    expect(await list()).toMatchObject([{ subject: 'Reset your password — für Ada ✓' }]);
  });

  it('survives a sender that disconnects in the middle of a mail', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(mail.smtpUrl).port), '127.0.0.1', () => {
        socket.write('EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nSubject: half', () => {
          setTimeout(() => socket.destroy(), 50);
        });
      });
      socket.on('close', () => resolve());
      socket.on('data', () => undefined);
    });
    await send(RESET);
    expect(await list()).toHaveLength(1);
  });

  it('drops the oldest mails beyond its limit', async () => {
    const box = await MailBox.open(null, () => clockMs++);
    const raw = Buffer.from('Subject: x\r\n\r\nbody\r\n');
    for (let sent = 0; sent < MESSAGES_KEPT + 2; sent++) await box.receive({ from: 'a@b.c', to: [`${sent}@e.f`], raw });
    expect(box.list()).toHaveLength(MESSAGES_KEPT);
    expect(box.list().at(-1)?.to).toEqual(['2@e.f']);
  });

  it('deletes a mail on request', async () => {
    await send(RESET);
    const [message] = await list();
    await fetch(`${mail.url}/messages/${message?.id}`, { method: 'DELETE' });
    expect(await list()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});
