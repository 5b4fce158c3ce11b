import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { PurchaseAdded, ServerToClient, TimeExtendedMessage } from '../../../contracts/live.js';
import { type BoardPurchase, type Game } from '../../../domain/game.js';
import { gamersOn, gameStateOf, secondsLeft } from '../game/game-state.js';
import type { CommittedEvent } from '../ledger/ledger-book.js';
import { gamerRoom } from './rooms.js';

/** A message and who gets it: everyone (null), or the sockets in a room. */
export type LiveMessage = { [Name in keyof ServerToClient]: MessageNamed<Name> }[keyof ServerToClient];

interface MessageNamed<Name extends keyof ServerToClient> {
  to: string | null;
  name: Name;
  body: Parameters<ServerToClient[Name]>[0];
}

/** In a burst only this many purchases are told one by one; the state that follows holds the rest. */
const TOLD_SINGLY = 10;

/** Whose names the messages about these events need. */
export function gamersNamedBy(committed: readonly CommittedEvent[]): GamerId[] {
  const last = committed.at(-1);
  const events = committed.map(({ recorded }) => recorded.event);
  const buyers = events.flatMap((event) => (event.type === 'TimeExtended' ? [event.data.buyerId] : []));
  const winners = events.flatMap((event) =>
    event.type === 'RoundEnded' && event.data.winner ? [event.data.winner.gamerId] : [],
  );
  return [...buyers.slice(-TOLD_SINGLY), ...winners, ...(last ? gamersOn(last.game) : [])];
}

interface Telling {
  committed: readonly CommittedEvent[];
  tagOf(gamerId: GamerId): string;
  now: number;
  /** The version of the last message sent before. */
  previousVersion: number;
}

/**
 * What to tell everyone about events that came into the log, in their order. Versions make a chain: each message names
 * the one before it, so a client knows when it missed something.
 */
export function boardMessages({ committed, tagOf, now, previousVersion }: Telling): LiveMessage[] {
  const messages: LiveMessage[] = [];
  let previous = previousVersion;
  const purchases = committed.filter(({ recorded }) => recorded.event.type === 'TimeExtended');
  const singly = new Set(purchases.slice(-TOLD_SINGLY));
  for (const one of committed) {
    const told = one.recorded.event.type === 'TimeExtended' ? singly.has(one) : true;
    if (!told) continue;
    const next = messagesOf(one, tagOf, now, previous);
    messages.push(...next.messages);
    previous = next.version;
  }
  const last = committed.at(-1);
  if (last && (purchases.length > TOLD_SINGLY || committed.some(({ recorded }) => changesPhase(recorded.event)))) {
    messages.push(stateUpdate(last.game, last.recorded.position, tagOf, now));
  }
  return messages;
}

export function stateUpdate(
  game: Game,
  position: string,
  tagOf: (id: GamerId) => string,
  now: number,
): MessageNamed<'state:update'> {
  return { to: null, name: 'state:update', body: { ...gameStateOf(game, tagOf, now), position } };
}

/** What to tell single gamers about their own money. One message of a kind a gamer, the latest. */
export function personalMessages(committed: readonly CommittedEvent[]): LiveMessage[] {
  const balances = new Map<GamerId, { purchaseBalanceCents: number; position: string }>();
  const winnings = new Map<GamerId, { position: string }>();
  for (const { recorded } of committed) {
    const { event, position } = recorded;
    if ('purchaseBalanceCents' in event.data) {
      const gamerId = 'buyerId' in event.data ? event.data.buyerId : event.data.gamerId;
      balances.set(gamerId, { purchaseBalanceCents: event.data.purchaseBalanceCents, position });
    }
    for (const gamerId of gamersWhoseWinningsChange(event)) winnings.set(gamerId, { position });
  }
  return [
    ...[...balances].map(([gamerId, body]): LiveMessage => ({ to: gamerRoom(gamerId), name: 'balanceUpdated', body })),
    ...[...winnings].map(
      ([gamerId, body]): LiveMessage => ({ to: gamerRoom(gamerId), name: 'winnings:updated', body }),
    ),
  ];
}

/** Whether the public counters change: gamers, or winnings ever paid. */
export function changesStats(event: LedgerEvent): boolean {
  switch (event.type) {
    case 'GamerEnrolled':
    case 'GamerRemoved':
    case 'BalanceAdjusted':
      return true;
    case 'TokenPurchased':
      return event.data.allocations.length > 0;
    case 'RoundEnded':
      return event.data.winner !== null;
    default:
      return false;
  }
}

const changesPhase = ({ type }: LedgerEvent): boolean =>
  ['GameStarted', 'LiveStarted', 'LiveResumed', 'RoundEnded', 'GameReset', 'TimersChanged'].includes(type);

/** Depositor status is shown with the winnings it entitles to. */
function gamersWhoseWinningsChange(event: LedgerEvent): GamerId[] {
  switch (event.type) {
    case 'TokenPurchased':
      return event.data.allocations.map(({ gamerId }) => gamerId);
    case 'RoundEnded':
      return event.data.winner ? [event.data.winner.gamerId] : [];
    case 'GamerEnrolled':
      // A direct referral more.
      return event.data.sponsorId === null ? [] : [event.data.sponsorId];
    case 'WinningsTransferred':
    case 'BalanceAdjusted':
    case 'DepositorStatusSet':
    case 'DepositApproved':
    case 'WithdrawalRequested':
    case 'WithdrawalProcessing':
    case 'WithdrawalCompleted':
    case 'WithdrawalReturned':
      return [event.data.gamerId];
    default:
      return [];
  }
}

function messagesOf(
  { recorded, game }: CommittedEvent,
  tagOf: (gamerId: GamerId) => string,
  now: number,
  previousVersion: number,
): { messages: LiveMessage[]; version: number } {
  const { event, position } = recorded;
  const { version } = game;
  const versioned = { position, version, previousVersion };
  switch (event.type) {
    case 'GameStarted': {
      const { roundId, pregameEndsAtEpochMs: endsAtEpochMs } = event.data;
      const body = { ...versioned, roundId, gameState: 'pregame' as const, endsAtEpochMs };
      return { messages: [{ to: null, name: 'round:started', body }], version };
    }
    case 'LiveStarted': {
      const { roundId, endsAtEpochMs } = event.data;
      const message = 'The game is live.';
      const timestamp = recorded.metadata.at;
      const body = { ...versioned, gameState: 'live' as const, message, timestamp, roundId, endsAtEpochMs };
      return { messages: [{ to: null, name: 'game:transition-to-live', body }], version };
    }
    case 'TimeExtended':
      return { messages: purchaseMessages(recorded, game, tagOf, now, previousVersion), version };
    case 'RoundEnded': {
      const { roundId, winner, jackpotCents, nextRoundAtEpochMs } = event.data;
      const named = winner ? { winner: { id: winner.gamerId, gamerTag: tagOf(winner.gamerId) } } : {};
      const body = { ...versioned, roundId, ...named, jackpotCents, nextRoundAtEpochMs };
      return { messages: [{ to: null, name: 'round:ended', body }], version };
    }
    default:
      return { messages: [], version: previousVersion };
  }
}

/** A purchase is told once its extension is known: TokenPurchased and TimeExtended always come together. */
function purchaseMessages(
  { position }: RecordedLedgerEvent,
  game: Game,
  tagOf: (gamerId: GamerId) => string,
  now: number,
  previousVersion: number,
): LiveMessage[] {
  const purchase = game.purchases[0] as BoardPurchase;
  const buyerGamerTag = tagOf(purchase.buyerId);
  const newCountdown = secondsLeft(purchase.endsAtEpochMs, now);
  const added: PurchaseAdded = {
    position,
    version: game.version - 1,
    previousVersion,
    purchaseId: purchase.purchaseId,
    roundId: game.roundId ?? game.lastRoundId,
    buyerId: purchase.buyerId,
    buyerGamerTag,
    timestamp: purchase.atEpochMs,
    quantity: purchase.quantity,
    addedSeconds: purchase.addedSeconds,
    newJackpot: purchase.jackpotCents,
    newCountdown,
  };
  const extended: TimeExtendedMessage = {
    position,
    version: game.version,
    previousVersion: game.version - 1,
    newCountdown,
    newEndTime: purchase.endsAtEpochMs,
    buyerGamerTag,
    timeAddedSeconds: purchase.addedSeconds,
    message: `+${clock(purchase.addedSeconds)} from ${buyerGamerTag}`,
    timestamp: purchase.atEpochMs,
    jackpotCents: purchase.jackpotCents,
  };
  return [
    { to: null, name: 'purchase:added', body: added },
    { to: null, name: 'game:time-extended', body: extended },
  ];
}

/** 90 → '1:30'. */
const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
