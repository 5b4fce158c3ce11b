import { formatCents } from '../../../../../contracts/money.js';
import {
  balanceFact,
  dateAndTime,
  type LedgerEventDescriptions,
  none,
  purchaseReason,
  seconds,
  timeOfDay,
  timerFacts,
  timersChange,
  timersText,
  tokens,
  whole,
} from './formats.js';

/** Rounds, their purchases and the timers. */
export const GAME_DESCRIPTIONS = {
  TokenPurchased: {
    subject: (data) => data.buyerId,
    otherGamers: (data) => data.allocations.map((allocation) => allocation.gamerId),
    summary: (data) => `${tokens(data.quantity)}, jackpot ${formatCents(data.jackpotCents)}`,
    facts: (data) => ({
      'Paid from': data.source === 'balance' ? 'purchase balance' : `invoice, payment ${data.paymentId}`,
      Purchase: data.purchaseId,
      'Jackpot after it': formatCents(data.jackpotCents),
      ...balanceFact(data),
    }),
    postingReasons: (data, { account }) => purchaseReason(data, account),
  },
  TimeExtended: {
    subject: (data) => data.buyerId,
    summary: (data) => `+${seconds(data.addedSeconds)}, ends ${timeOfDay(data.endsAtEpochMs)}`,
    facts: (data) => ({
      Added: seconds(data.addedSeconds),
      'Ends at': dateAndTime(data.endsAtEpochMs),
      Purchase: data.purchaseId,
    }),
  },
  GameStarted: {
    topic: 'game',
    subject: none,
    summary: (data) => `Round ${data.roundId} opened, jackpot ${formatCents(data.carriedCents)}`,
    facts: (data) => ({
      'Pregame ends at': dateAndTime(data.pregameEndsAtEpochMs),
      'Jackpot carried': formatCents(data.carriedCents),
      ...timerFacts(data.timers),
    }),
    activity: (data) => `Started round ${data.roundId} with a jackpot of ${formatCents(data.carriedCents)}`,
  },
  LiveStarted: {
    topic: 'game',
    subject: none,
    summary: (data) =>
      `Round ${data.roundId} live${data.forced ? ', forced' : ''}, ends ${timeOfDay(data.endsAtEpochMs)}`,
    facts: (data) => ({ 'Ends at': dateAndTime(data.endsAtEpochMs), Forced: data.forced ? 'yes' : 'no' }),
    activity: (data) => (data.forced ? `Forced round ${data.roundId} live` : `Round ${data.roundId} went live`),
  },
  LiveResumed: {
    subject: none,
    summary: (data) =>
      `Resumed after an outage of ${seconds(data.outageSeconds)}, ends ${timeOfDay(data.endsAtEpochMs)}`,
    facts: (data) => ({
      'Ends at': dateAndTime(data.endsAtEpochMs),
      'Nobody could buy for': seconds(data.outageSeconds),
    }),
  },
  RoundEnded: {
    subject: (data) => data.winner?.gamerId ?? null,
    summary: (data) =>
      data.winner === null
        ? `Round ${data.roundId} ended without a buyer, ${formatCents(data.jackpotCents)} carried`
        : `Round ${data.roundId} won, jackpot ${formatCents(data.jackpotCents)}`,
    facts: (data, nameOf) => ({
      Winner: data.winner === null ? 'none' : nameOf(data.winner.gamerId),
      'Winning purchase': data.winner?.purchaseId,
      Jackpot: formatCents(data.jackpotCents),
      'Ended at': dateAndTime(data.endedAtEpochMs),
      'Next round at': dateAndTime(data.nextRoundAtEpochMs),
      Purchases: whole(data.purchaseCount),
      'Merkle root': data.merkleRoot,
    }),
    postingReasons: (data) => `jackpot of round ${data.roundId}`,
    statement: (data) => `Jackpot of round ${data.roundId}`,
  },
  GameReset: {
    topic: 'game',
    subject: none,
    summary: (data) =>
      `${data.roundId === null ? 'Reset to idle' : `Round ${data.roundId} void`}, ${formatCents(data.carriedCents)} carried`,
    facts: (data) => ({
      'Jackpot carried': formatCents(data.carriedCents),
      'Purchases void': whole(data.purchaseCount),
      Reason: data.reason,
    }),
    activity: (data) => {
      const reset = data.roundId === null ? 'Reset' : `Voided round ${data.roundId} and reset`;
      return `${reset} the game to idle: ${formatCents(data.carriedCents)} carried on`;
    },
  },
  TimersChanged: {
    topic: 'game',
    subject: none,
    summary: timersText,
    facts: timerFacts,
    activity: (data, { before }) => `Changed the timers: ${timersChange(before?.timers, data)}`,
  },
} satisfies Partial<LedgerEventDescriptions>;
