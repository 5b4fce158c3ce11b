import { until } from '../../contracts/testing/until.js';
import type { startEmbeddedMail } from '../../embedded/mail/start-embedded-mail.js';

export type EmbeddedMail = Awaited<ReturnType<typeof startEmbeddedMail>>;

export interface ReceivedMail {
  to: string[];
  from: string;
  sender: string;
  subject: string;
  text: string;
  html: string;
}

export async function mailsTo({ url }: EmbeddedMail, address: string): Promise<ReceivedMail[]> {
  const mails = (await (await fetch(`${url}/messages`)).json()) as ReceivedMail[];
  return mails.filter(({ to }) => to.some((one) => one.toLowerCase() === address.toLowerCase()));
}

/** The token of the newest link to this page that was mailed to the address, once there is one. */
export const mailedToken = (mail: EmbeddedMail, address: string, page: 'reset-password' | 'confirm-email') =>
  until(async () => {
    const link = new RegExp(`/${page}\\?token=([\\w-]+)`);
    return (await mailsTo(mail, address)).flatMap(({ text }) => link.exec(text)?.[1] ?? [])[0];
  });
