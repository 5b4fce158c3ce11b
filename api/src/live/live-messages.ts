import { shortClockText } from '../../../contracts/durations.js';
import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { PurchaseAdded, ServerToClient, TimeExtendedMessage } from '../../../contracts/live.js';
import { words } from '../../../contracts/words.js';
import type { BoardPurchase, Game } from '../../../domain/game.js';
import { gameStateOf, gameTermsOf, secondsLeft } from '../features/game/game-state.js';
import type { CommittedEvent } from '../ledger/ledger-replica.js';

export const gamerRoom = (gamerId: GamerId): string => `gamer:${gamerId}`;

/** The room of the sockets of the admin and of operators with the power support: it gets the messages about tickets. */
export const ADMIN_ROOM = 'admin';
/** The room of the sockets of the admin and of operators with the power money. */
export const MONEY_ROOM = 'money';

/** A message and its audience: all sockets (null), or the sockets in a room. */
export type LiveMessage = { [Name in keyof ServerToClient]: LiveMessageOf<Name> }[keyof ServerToClient];

interface LiveMessageOf<Name extends keyof ServerToClient> {
  to: string | null;
  name: Name;
  body: Parameters<ServerToClient[Name]>[0];
}

/** In a burst only the last purchases get messages of their own; a `state:update` follows with all others. */
const MAX_SINGLE_PURCHASES = 10;

/** The gamers whose tags the messages about these events need, except those on the board. */
export function gamersNamedBy(committed: readonly CommittedEvent[]): GamerId[] {
  const events = committed.map(({ recorded }) => recorded.event);
  const buyers = events.flatMap((event) => (event.type === 'TimeExtended' ? [event.data.buyerId] : []));
  const winners = events.flatMap((event) =>
    event.type === 'RoundEnded' && event.data.winner ? [event.data.winner.gamerId] : [],
  );
  return [...buyers.slice(-MAX_SINGLE_PURCHASES), ...winners];
}

type MessageContext = { tagOf(gamerId: GamerId): string; nowMs: number };

/** The messages to all sockets, in log order, each with the version before it: a client notices a gap. */
export function boardMessages(committed: readonly CommittedEvent[], version: number, context: MessageContext) {
  const messages: LiveMessage[] = [];
  let previousVersion = version;
  const purchases = committed.filter(({ recorded }) => recorded.event.type === 'TimeExtended');
  const skipped = new Set(purchases.slice(0, -MAX_SINGLE_PURCHASES));
  for (const event of committed) {
    if (skipped.has(event)) continue;
    const about = messagesOf(event, previousVersion, context);
    messages.push(...about);
    if (about.length > 0) previousVersion = event.game.version;
  }
  const last = committed.at(-1);
  const hasNewPhase = committed.some(({ recorded }) => changesPhase(recorded.event));
  if (last && (skipped.size > 0 || hasNewPhase)) messages.push(stateUpdate(last.game, last.recorded.position, context));
  return messages;
}

export function stateUpdate(game: Game, position: string, context: MessageContext): LiveMessageOf<'state:update'> {
  const state = gameStateOf(game, context.tagOf, context.nowMs);
  return { to: null, name: 'state:update', body: { ...state, position } };
}

/** The messages to gamers about their own money: per gamer the latest of each kind. */
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
    ...[...balances].map(([id, body]): LiveMessage => ({ to: gamerRoom(id), name: 'balanceUpdated', body })),
    ...[...winnings].map(([id, body]): LiveMessage => ({ to: gamerRoom(id), name: 'winnings:updated', body })),
  ];
}

/** The message that deposits or withdrawals changed: one for all events of a tick. */
export function moneyMessages(committed: readonly CommittedEvent[]): LiveMessage[] {
  const last = committed.findLast(
    ({ recorded: { event } }) => 'withdrawalId' in event.data || 'depositId' in event.data,
  );
  return last ? [{ to: MONEY_ROOM, name: 'admin:money_updated', body: { position: last.recorded.position } }] : [];
}

const PHASE_EVENTS = new Set<LedgerEvent['type']>(
  words('GameStarted LiveStarted LiveResumed RoundEnded GameReset TimersChanged GameScheduled ScheduleCancelled'),
);

/** Whether an event begins or ends a phase, changes its end other than by a purchase, or plans the next game. */
export const changesPhase = ({ type }: LedgerEvent): boolean => PHASE_EVENTS.has(type);

/** The gamers who refetch their winnings after an event, and with them their depositor status, parked payments and limits. */
function gamersWhoseWinningsChange({ type, data }: LedgerEvent): GamerId[] {
  if (type === 'TokenPurchased') return data.allocations.map(({ gamerId }) => gamerId);
  if (type === 'RoundEnded') return data.winner ? [data.winner.gamerId] : [];
  // The sponsor has one more direct referral.
  if (type === 'GamerEnrolled') return data.sponsorId === null ? [] : [data.sponsorId];
  return 'gamerId' in data && data.gamerId !== null ? [data.gamerId] : [];
}

function messagesOf(
  { recorded, game }: CommittedEvent,
  previousVersion: number,
  context: MessageContext,
): LiveMessage[] {
  const { event, position } = recorded;
  const versioned = { position, version: game.version, previousVersion };
  switch (event.type) {
    case 'GameStarted': {
      const { roundId, pregameEndsAtMs: endsAtEpochMs } = event.data;
      const body = { ...versioned, roundId, gameState: 'pregame' as const, endsAtEpochMs, terms: gameTermsOf(game) };
      return [{ to: null, name: 'round:started', body }];
    }
    case 'LiveStarted': {
      const { roundId, endsAtEpochMs } = event.data;
      const message = 'The game is live.';
      const timestamp = recorded.metadata.at;
      const body = { ...versioned, gameState: 'live' as const, message, timestamp, roundId, endsAtEpochMs };
      return [{ to: null, name: 'game:transition-to-live', body }];
    }
    case 'TimeExtended':
      return purchaseMessages(position, game, previousVersion, context);
    case 'RoundEnded': {
      const { roundId, winner, jackpotCents, nextRoundAtMs } = event.data;
      const named = winner ? { winner: { id: winner.gamerId, gamerTag: context.tagOf(winner.gamerId) } } : {};
      const body = { ...versioned, roundId, ...named, jackpotCents, nextRoundAtMs };
      return [{ to: null, name: 'round:ended', body }];
    }
    default:
      return [];
  }
}

/** Sent at TimeExtended, which always follows TokenPurchased in the same append. */
function purchaseMessages(
  position: string,
  game: Game,
  previousVersion: number,
  { tagOf, nowMs }: MessageContext,
): LiveMessage[] {
  const purchase = game.purchases[0] as BoardPurchase;
  const buyerGamerTag = tagOf(purchase.buyerId);
  const newCountdown = secondsLeft(purchase.endsAtEpochMs, nowMs);
  const shared = { position, buyerGamerTag, newCountdown, timestamp: purchase.atMs };
  const added: PurchaseAdded = {
    ...shared,
    version: game.version - 1,
    previousVersion,
    purchaseId: purchase.purchaseId,
    roundId: game.roundId ?? game.lastRoundId,
    buyerId: purchase.buyerId,
    quantity: purchase.quantity,
    addedSeconds: purchase.addedSeconds,
    newJackpot: purchase.jackpotCents,
  };
  const extended: TimeExtendedMessage = {
    ...shared,
    version: game.version,
    previousVersion: game.version - 1,
    newEndTime: purchase.endsAtEpochMs,
    timeAddedSeconds: purchase.addedSeconds,
    message: `+${shortClockText(purchase.addedSeconds)} from ${buyerGamerTag}`,
    jackpotCents: purchase.jackpotCents,
  };
  return [
    { to: null, name: 'purchase:added', body: added },
    { to: null, name: 'game:time-extended', body: extended },
  ];
}
