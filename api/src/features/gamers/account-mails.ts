import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CryptoType } from '../../../../contracts/crypto.js';
import type { LedgerEvent, LedgerEvents } from '../../../../contracts/events/ledger-events.js';
import { escapeHtml } from '../../../../contracts/html.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import type { Ticket } from '../../../../domain/support.js';
import type { DepositRow } from '../../../../projections/src/views/tables.entity.js';
import { Ledger } from '../../ledger/ledger.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { type Account, AccountsStore, isConfirmed } from './accounts.store.js';

interface Letter {
  subject: string;
  title: string;
  paragraphs: readonly string[];
  /** The text of the button; absent in a letter without a link. */
  button?: string;
  /** The last line: the reason for which this address is a recipient. */
  because?: string;
}

type Values = Record<string, string>;

const LETTERS: ReadonlyMap<string, Letter> = new Map(
  readFileSync(new URL('./letters.txt', import.meta.url), 'utf8')
    .split(/^== /m)
    .slice(1)
    .map((section): [string, Letter] => {
      const [head = '', ...paragraphs] = section.trim().split('\n\n');
      const [name = '', ...lines] = head.split('\n');
      const { subject = '', title = '', ...others } = Object.fromEntries(lines.map((line) => line.split(': ', 2)));
      return [name, { subject, title, paragraphs, ...others }];
    }),
);

/** Tables and inline styles, which all mail clients render: the page, then each kind of row by its name. */
const [PAGE = '', ...rows] = readFileSync(new URL('./letter.html', import.meta.url), 'utf8').split(/^== /m);
const ROWS: Values = Object.fromEntries(rows.map((row) => row.trim().split('\n', 2)));
const rowOf = (kind: string, text: string, link = ''): string =>
  fillIn(ROWS[kind] as string, { text: escapeHtml(text), link: escapeHtml(link) });

const BECAUSE = 'You are receiving this email because {gamerTag} is registered with this address.';
const NEVER_ASKS = 'Omni Jackpot never asks for your password by email.';
const CHANGE_PASSWORD =
  'change your password now: on the page My Account, or with “Forgot password?” if you cannot log in. That ends all other sessions.';

type Recipient = Pick<Account, 'gamerTag' | 'email'>;

/** A letter of letters.txt with these values, in the site's colours. `link`: where its button leads. */
export function letterTo({ gamerTag, email: to }: Recipient, name: string, values: Values = {}, link = ''): Mail {
  const letter = LETTERS.get(name);
  if (letter === undefined) throw new Error(`there is no letter ${name}`);
  const { subject, title, button, because = BECAUSE } = letter;
  const fill = (text: string) => fillIn(text, { gamerTag, changePassword: CHANGE_PASSWORD, ...values });
  const [first = '', ...others] = [...letter.paragraphs, `${because} ${NEVER_ASKS}`].map(fill);
  const ending = others.pop() as string;
  const texts = ['OMNI JACKPOT', title, first, ...(button ? [link] : []), ...others, ending];
  const rows = [
    rowOf('title', title),
    rowOf('paragraph', first),
    ...(button ? [rowOf('button', button, link)] : []),
    ...others.map((text) => rowOf('paragraph', text)),
    ...(button ? [rowOf('link', link, link)] : []),
    rowOf('ending', ending),
  ];
  const html = fillIn(PAGE, { title: escapeHtml(title), rows: rows.join('\n') });
  return { to, subject: fill(subject), text: `${texts.join('\n\n')}\n`, html };
}

const fillIn = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a mail lacks its ${name}`);
    return value;
  });

type RejectedPayment = Pick<DepositRow, 'depositId' | 'paymentId' | 'gamerId' | 'amountCents'>;

type SettledEvent = Extract<LedgerEvent, { type: 'WithdrawalCompleted' | 'WithdrawalReturned' }>;

const REMEMBERED = 10_000;

/** Mails about acts that a thief might do, about acts of staff, and a jackpot. Excluded gamers get them too, so they hold no offers. */
@Injectable()
export class AccountMails {
  /** A repeated command must not send its mail again: many mails would hide the one that matters. */
  private readonly mailed = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly accounts: AccountsStore,
    private readonly mailer: Mailer,
    ledger: Ledger,
  ) {
    // One node mails for all. If it dies before that, no mail comes; the page announces the win too.
    ledger.onCommitted((committed, isOwn) => {
      if (isOwn) for (const { recorded } of committed) this.mailJackpotWon(recorded.event);
    });
  }

  /** Queues a letter to this address, even if the account now has another. */
  post(to: Recipient, letter: string, values?: Values): void {
    this.mailer.post(letterTo(to, letter, values));
  }

  /** Queues a letter to the account's current address if `isDue` accepts the account. */
  postTo(gamerId: GamerId, letter: string, values?: Values, isDue = (_: Account) => true): void {
    this.mailer.write(`a mail to ${gamerId}`, async () => {
      const account = await this.accounts.findById(gamerId);
      return account && isDue(account) ? letterTo(account, letter, values) : null;
    });
  }

  /** Sends no mail for the address of a withdrawal, because the withdrawal's own mail names it. */
  addressSaved(gamerId: GamerId, cryptoType: CryptoType, walletAddress: string): void {
    if (this.mailed.has(`${gamerId} ${walletAddress}`)) return;
    this.postTo(gamerId, 'address-saved', { cryptoType, address: shorten(walletAddress) });
  }

  /** `walletAddress`: in plain text. `isNewAddress`: no withdrawal of the gamer was paid to it. */
  withdrawalRequested(event: LedgerEvents['WithdrawalRequested'], walletAddress: string, isNewAddress: boolean): void {
    const { withdrawalId, gamerId, amountCents, cryptoType } = event;
    if (!this.claims(withdrawalId)) return;
    this.mailed.set(`${gamerId} ${walletAddress}`, true);
    const whetherNew = isNewAddress
      ? 'The address is new: nothing was paid to it before.'
      : 'The address was paid before.';
    const values = { amount: formatCents(amountCents), cryptoType, address: shorten(walletAddress), whetherNew };
    this.postTo(gamerId, 'withdrawal-requested', values);
  }

  withdrawalSettled({ type, data }: SettledEvent): void {
    if (!this.claims(`${data.withdrawalId} settled`)) return;
    const letter = type === 'WithdrawalCompleted' ? 'withdrawal-paid' : 'withdrawal-returned';
    this.postTo(data.gamerId, letter, { amount: formatCents(data.amountCents) });
  }

  /** Mails the admin's approval. A deposit that is credited without the admin is on the page within seconds. */
  depositApproved(event: LedgerEvent | undefined): void {
    if (event?.type !== 'DepositApproved' || !this.claims(event.data.depositId)) return;
    this.postTo(event.data.gamerId, 'deposit-approved', { amount: formatCents(event.data.amountCents) });
  }

  /** Mails the rejection, without the admin's notes, which the page shows; mails nobody for a payment without a gamer. */
  depositRejected({ depositId, paymentId, gamerId, amountCents }: RejectedPayment): void {
    if (gamerId === null || !this.claims(`${depositId}`)) return;
    this.postTo(gamerId, 'deposit-rejected', { amount: formatCents(amountCents), paymentId });
  }

  /** The mail leaves out the answer: a mailbox is no place for confidential texts. */
  ticketAnswered({ gamerId, subject }: Ticket, commandId: string): void {
    if (this.claims(commandId)) this.postTo(gamerId, 'ticket-answered', { subject });
  }

  private mailJackpotWon({ type, data }: LedgerEvent): void {
    if (type !== 'RoundEnded' || data.winner === null) return;
    const values = { amount: formatCents(data.jackpotCents), round: `${data.roundId}` };
    this.postTo(data.winner.gamerId, 'jackpot-won', values, isConfirmed);
  }

  /** Claims a key for a mail; false when it was claimed before: its mail is sent once. */
  private claims(key: string): boolean {
    if (this.mailed.has(key)) return false;
    this.mailed.set(key, true);
    return true;
  }
}

/** Enough to recognize one's own address, and too little to be of use to another reader of the mailbox. */
const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-6)}`;
