import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { folderForTests } from '../../contracts/testing/folder.js';
import { MailBox, MESSAGES_KEPT, type Message, startEmbeddedMail } from './start-embedded-mail.js';

const RESET: SendMailOptions = {
  from: '"Omni Jackpot" <no-reply@omni-jackpot.example>',
  to: 'Ada@example.org',
  subject: 'Reset your password — für Ada ✓',
  text: 'Open https://omni.example/reset-password?token=abc&x=1. It holds for an hour.\n<script>alert(1)</script>',
  html: '<p>Open <a href="https://omni.example/reset-password?token=abc">this link</a>.</p><script>alert(1)</script>',
};

const folder = folderForTests('each');
let mail: Awaited<ReturnType<typeof startEmbeddedMail>>;
beforeEach(async () => {
  mail = await startEmbeddedMail({ dataDir: folder() });
});
afterEach(() => mail.close());

/** Sends a mail with a login, as to a real server. */
const send = (options: SendMailOptions) =>
  createTransport({ url: mail.smtpUrl, auth: { user: 'shop', pass: 'any' } }).sendMail(options);
const list = async (): Promise<Message[]> => (await (await fetch(`${mail.url}/messages`)).json()) as Message[];
const text = async (path: string) => (await fetch(mail.url + path)).text();

it('lists the newest first, each with its recipients, including Bcc, also after a restart; deletes on request', async () => {
  await send({ ...RESET, subject: 'first' });
  await send({ ...RESET, subject: 'second', to: 'bob@example.org', bcc: 'ada@example.org' });
  const before = await list();
  expect(before).toMatchObject([
    { subject: 'second', to: ['bob@example.org', 'ada@example.org'] },
    { subject: 'first', to: ['Ada@example.org'] },
  ]);
  await mail.close();
  mail = await startEmbeddedMail({ dataDir: folder() });
  expect(await list()).toEqual(before);
  await fetch(`${mail.url}/messages/${before[0]?.id}`, { method: 'DELETE' });
  expect(await list()).toEqual(before.slice(1));
  expect(await readFile(join(folder(), 'mails.json'), 'utf8')).not.toContain('second');
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
  const box = await MailBox.open(undefined);
  const raw = Buffer.from('Subject: x\r\n\r\nbody\r\n');
  for (let sent = 0; sent < MESSAGES_KEPT + 2; sent++) await box.receive({ from: 'a@b.c', to: [`${sent}@e.f`], raw });
  expect(box.list()).toHaveLength(MESSAGES_KEPT);
  expect(box.list()[0]?.to).toEqual(['2@e.f']);
});
