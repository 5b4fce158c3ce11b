import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CryptoType } from '../../../../contracts/crypto.js';
import type { LedgerEvent, LedgerEvents } from '../../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { newYorkTimeText } from '../../../../contracts/new-york-texts.js';
import type { Ticket } from '../../../../domain/support.js';
import type { DepositRow } from '../../../../projections/src/views/tables.entity.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { type Account, AccountsStore } from './accounts.store.js';

interface Message {
  subject: string;
  title: string;
  /** Plain texts. The button stands below the first one. */
  paragraphs: readonly [string, ...string[]];
}

/** A mail to a gamer, in the site's colours. */
interface Letter extends Message {
  to: string;
  button?: { text: string; link: string };
  /** The last line: the reason for which this address is a recipient. */
  because: string;
}

/** Tables and inline styles, which all mail clients render. */
const PAGE = readFileSync(new URL('./letter.html', import.meta.url), 'utf8');
const NEVER = 'Omni Jackpot never asks for your password by email.';

export function mailOf({ to, subject, title, paragraphs, button, because }: Letter): Mail {
  const [first, ...others] = paragraphs;
  const ending = `${because} ${NEVER}`;
  const texts = ['OMNI JACKPOT', title, first, ...(button ? [button.link] : []), ...others, ending];
  const rows = [
    row('padding:32px 0 16px;color:#f8f1e7;font-size:28px;line-height:32px;font-weight:600', escaped(title)),
    paragraph(first),
    ...(button ? [buttonRow(button)] : []),
    ...others.map(paragraph),
    ...(button ? [row(`padding:16px 0;border-top:1px solid #3c2e41;${SMALL}`, linkAsText(button))] : []),
    row(SMALL, escaped(ending)),
  ];
  const values: Record<string, string> = { title: escaped(title), rows: rows.join('\n') };
  return {
    to,
    subject,
    text: `${texts.join('\n\n')}\n`,
    html: PAGE.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
  };
}

/** "You are receiving this email because …" */
export const becauseRegistered = (gamerTag: string): string =>
  `You are receiving this email because ${gamerTag} is registered with this address.`;

const SMALL = 'color:#a898ab;font-size:12px;line-height:18px';
const row = (style: string, html: string): string => `<tr><td style="${style}">${html}</td></tr>`;
const paragraph = (text: string): string =>
  row('color:#cabdca;font-size:16px;line-height:24px;padding-bottom:16px', escaped(text));

function buttonRow({ text, link }: NonNullable<Letter['button']>): string {
  const style =
    'display:inline-block;padding:14px 24px;background:#f8f1e7;color:#1b131e;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;border-radius:6px';
  return row('padding:8px 0 28px', `<a href="${escaped(link)}" style="${style}">${escaped(text)}</a>`);
}

const linkAsText = ({ link }: NonNullable<Letter['button']>): string =>
  `The button does not work? Open this address:<br><a href="${escaped(link)}" style="color:#cabdca;word-break:break-all">${escaped(link)}</a>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);

type Recipient = Pick<Account, 'gamerTag' | 'email'>;

type RejectedPayment = Pick<DepositRow, 'depositId' | 'paymentId' | 'gamerId' | 'amountCents'>;

type SettledEvent = Extract<LedgerEvent, { type: 'WithdrawalCompleted' | 'WithdrawalReturned' }>;

const CHANGE_PASSWORD =
  'change your password now: on the page My Account, or with “Forgot password?” if you cannot log in. That ends all other sessions.';
const REMEMBERED = 10_000;

/**
 * Mails about what a thief of the password would do, and about what staff did for the gamer. They are due to excluded gamers
 * too, and have no offers in them. They are made in the background: no act waits for its mail, or fails with it.
 */
@Injectable()
export class AccountMails {
  /** A repeated command must not send its mail again: many mails would hide the one that matters. */
  private readonly mailed = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly accounts: AccountsStore,
    private readonly mailer: Mailer,
  ) {}

  newDevice(account: Recipient, device: string, atMs: number): void {
    this.post(account, {
      subject: 'New sign-in to your Omni Jackpot account',
      title: 'A new device',
      paragraphs: [
        `${account.gamerTag} logged in on a device that was not used before: ${device}, on ${newYorkTimeText(atMs)}.`,
        `If it was not you, ${CHANGE_PASSWORD}`,
      ],
    });
  }

  passwordChanged(gamerId: GamerId): void {
    this.postTo(gamerId, ({ gamerTag }) => ({
      subject: 'Your Omni Jackpot password was changed',
      title: 'A new password',
      paragraphs: [
        `The password of ${gamerTag} was changed, and all other sessions have ended.`,
        'If it was not you, set another one with “Forgot password?” on the login page, and write to support.',
      ],
    }));
  }

  /** To the present address, whether the wanted one is free or not: a difference would reveal who is registered. */
  emailChangeRequested(account: Recipient): void {
    this.post(account, {
      subject: 'Another email for your Omni Jackpot account',
      title: 'Your email is about to change',
      paragraphs: [
        `Somebody who knows the password of ${account.gamerTag} wants another email for the account. Nothing changes until the other mailbox confirms it.`,
        `If it was not you, ${CHANGE_PASSWORD} It also makes the mailed link void.`,
      ],
    });
  }

  emailChanged(former: Recipient): void {
    this.post(former, {
      subject: 'The email of your Omni Jackpot account was changed',
      title: 'Your email was changed',
      paragraphs: [
        `Mails to ${former.gamerTag} go to another address from now on.`,
        'If it was not you, log in, change your password on the page My Account, and write to support.',
      ],
    });
  }

  /** Nothing for the address of a withdrawal whose own mail names it. */
  addressSaved(gamerId: GamerId, cryptoType: CryptoType, walletAddress: string): void {
    if (this.mailed.has(`${gamerId} ${walletAddress}`)) return;
    this.postTo(gamerId, ({ gamerTag }) => ({
      subject: 'A new payout address in your Omni Jackpot account',
      title: 'A new payout address',
      paragraphs: [
        `${gamerTag} saved a ${cryptoType} address for withdrawals: ${shortened(walletAddress)}. Saving it moves no money.`,
        `If it was not you, ${CHANGE_PASSWORD}`,
      ],
    }));
  }

  /** `walletAddress`: in plain text. `isNewAddress`: no withdrawal of the gamer was paid to it. */
  withdrawalRequested(event: LedgerEvents['WithdrawalRequested'], walletAddress: string, isNewAddress: boolean): void {
    const { withdrawalId, gamerId, amountCents, cryptoType } = event;
    if (this.isRepeated(withdrawalId)) return;
    this.mailed.set(`${gamerId} ${walletAddress}`, true);
    const address = isNewAddress
      ? 'The address is new: nothing was paid to it before.'
      : 'The address was paid before.';
    this.postTo(gamerId, ({ gamerTag }) => ({
      subject: 'A withdrawal from your Omni Jackpot account',
      title: 'A withdrawal was requested',
      paragraphs: [
        `${gamerTag} requested a withdrawal of ${formatCents(amountCents)} in ${cryptoType} to ${shortened(walletAddress)}.`,
        `${address} If it was not you, press Cancel under My Withdrawals while it is pending, which returns the money, and ${CHANGE_PASSWORD}`,
      ],
    }));
  }

  withdrawalSettled({ type, data }: SettledEvent): void {
    if (this.isRepeated(`${data.withdrawalId} settled`)) return;
    const isPaid = type === 'WithdrawalCompleted';
    const named = isPaid ? data.txid : data.adminNotes;
    const title = `Your withdrawal was ${isPaid ? 'paid' : 'returned'}`;
    const what = isPaid ? 'was sent to your wallet' : 'was not sent: the money is back in the winnings';
    this.postTo(data.gamerId, ({ gamerTag }) => ({
      subject: `${title} by Omni Jackpot`,
      title,
      paragraphs: [
        `The withdrawal of ${formatCents(data.amountCents)} by ${gamerTag} ${what}.`,
        `Log in and look under My Withdrawals${named ? ` for ${isPaid ? 'its transaction' : 'the reason'}` : ''}.`,
      ],
    }));
  }

  /** Only of the admin's approval: a deposit that is approved by itself is on the page within seconds. */
  depositDecided(event: LedgerEvent | undefined): void {
    if (event?.type !== 'DepositApproved') return;
    const { depositId, gamerId, amountCents } = event.data;
    if (this.isRepeated(depositId)) return;
    this.postTo(gamerId, ({ gamerTag }) => ({
      subject: 'Your payment was credited by Omni Jackpot',
      title: 'Your payment was credited',
      paragraphs: [
        `The payment of ${gamerTag} that was under review is in the purchase balance: ${formatCents(amountCents)}.`,
        'Log in and look into your statement for it.',
      ],
    }));
  }

  /** Without the admin's notes, which the page shows. Nothing for a payment without a gamer. */
  depositRejected({ depositId, paymentId, gamerId, amountCents }: RejectedPayment): void {
    if (gamerId === null || this.isRepeated(`${depositId}`)) return;
    this.postTo(gamerId, ({ gamerTag }) => ({
      subject: 'Your payment was not credited by Omni Jackpot',
      title: 'Your payment was rejected',
      paragraphs: [
        `The payment of ${gamerTag} that was under review is not credited: ${formatCents(amountCents)}, payment number ${paymentId}.`,
        'Log in: it stands below your purchase balance, with any note from the admin. For a question choose Contact Support in the menu, and name this number.',
      ],
    }));
  }

  /** Without the answer: a mailbox is no place for what was written in confidence. */
  ticketAnswered({ gamerId, subject }: Ticket, commandId: string): void {
    if (this.isRepeated(commandId)) return;
    this.postTo(gamerId, ({ gamerTag }) => ({
      subject: 'Omni Jackpot answered your support ticket',
      title: 'Support answered',
      paragraphs: [
        `${gamerTag}'s ticket “${subject}” was answered.`,
        'Log in, choose Contact Support in the menu, and read the answer under My Tickets.',
      ],
    }));
  }

  private isRepeated(key: string): boolean {
    if (this.mailed.has(key)) return true;
    this.mailed.set(key, true);
    return false;
  }

  private postTo(gamerId: GamerId, messageFor: (account: Account) => Message): void {
    this.mailer.write(`a mail to ${gamerId}`, async () => {
      const account = await this.accounts.findById(gamerId);
      return account && mailTo(account, messageFor(account));
    });
  }

  private post(recipient: Recipient, message: Message): void {
    this.mailer.post(mailTo(recipient, message));
  }
}

const mailTo = ({ gamerTag, email }: Recipient, message: Message): Mail =>
  mailOf({ to: email, ...message, because: becauseRegistered(gamerTag) });

/** Enough to recognize one's own address, and too little to be of use to another reader of the mailbox. */
const shortened = (address: string): string => `${address.slice(0, 6)}…${address.slice(-6)}`;
