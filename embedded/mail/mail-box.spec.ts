import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailBox } from './mail-box.js';

describe('the mail box', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'omni mail '));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps a mail that arrives while the older ones are being cleared', async () => {
    const box = await MailBox.open(folder, Date.now);
    const mail = (subject: string) => ({ from: 'a@x', to: ['b@x'], raw: Buffer.from(`Subject: ${subject}\r\n\r\n`) });
    for (let round = 0; round < 20; round++) {
      await box.receive(mail('old'));
      await box.receive(mail('older'));
      await Promise.all([box.clear(), box.receive(mail('new'))]);
      expect(box.list().map(({ subject }) => subject)).toEqual(['new']);
      expect(readdirSync(folder)).toHaveLength(1);
      await box.clear();
    }
  });
});
