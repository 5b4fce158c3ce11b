import { formatCents } from '../../../../../contracts/money.js';
import { limitsText } from '../../../../../contracts/refusals.js';
import {
  children,
  dateAndTime,
  forfeitedCents,
  gamerId,
  type LedgerEventDescriptions,
  none,
  placeText,
  powersText,
  reasonText,
  statusChange,
} from './formats.js';

/** A gamer’s place, status, powers, limits and exclusions. */
export const GAMER_DESCRIPTIONS = {
  GamerEnrolled: {
    subject: gamerId,
    otherGamers: (data) => [data.sponsorId, data.parentId],
    summary: (data, nameOf) =>
      data.parentId === null ? 'The admin, root of the matrix' : `Place ${placeText(data, nameOf)}`,
    facts: (data, nameOf) => ({
      Sponsor: data.sponsorId === null ? null : nameOf(data.sponsorId),
      Place: placeText(data, nameOf),
    }),
  },
  GamerRemoved: {
    topic: 'gamers',
    subject: gamerId,
    otherGamers: (data) => data.moved.flatMap((move) => [move.gamerId, move.parentId]),
    summary: (data) => `${children(data.moved.length)} moved, ${formatCents(forfeitedCents(data))} forfeited`,
    facts: (data, nameOf) => ({
      'Purchase balance forfeited': formatCents(data.forfeitedPurchaseCents),
      'Winnings forfeited': formatCents(data.forfeitedWinningsCents),
      Moved: data.moved.map((move) => `${nameOf(move.gamerId)} to place ${placeText(move, nameOf)}`).join('; '),
    }),
    postingReasons: (_, { account }) => (account === 'house:forfeited' ? 'forfeited to the operator' : 'forfeited'),
    statement: () => 'Forfeited',
    activity: (data, { gamer }) =>
      `Deleted ${gamer}: ${children(data.moved.length)} moved, ${formatCents(forfeitedCents(data))} forfeited`,
  },
  DepositorStatusSet: {
    topic: 'money',
    subject: gamerId,
    summary: (data) =>
      data.untilEpochMs === null ? 'No longer a depositor' : `Depositor until ${dateAndTime(data.untilEpochMs)}`,
    facts: (data) => ({
      'Depositor until': data.untilEpochMs === null ? 'no more' : dateAndTime(data.untilEpochMs),
    }),
    activity: (data, { before, gamer }) => `Depositor status of ${gamer}: ${statusChange(before, data.untilEpochMs)}`,
  },
  StaffStatusSet: {
    topic: 'gamers',
    subject: gamerId,
    summary: (data) => (data.isStaff ? 'Staff: neither buys, earns nor withdraws' : 'No longer staff'),
    facts: (data) => ({ Staff: data.isStaff ? 'yes' : 'no' }),
    activity: (data, { gamer }) => `${gamer} ${data.isStaff ? 'cannot play while staff' : 'can play again'}`,
  },
  PowersSet: {
    topic: 'gamers',
    subject: gamerId,
    summary: (data) => `Powers: ${powersText(data.powers)}`,
    facts: (data) => ({ Powers: powersText(data.powers) }),
    activity: (data, { gamer }) => `Set the powers of ${gamer}: ${powersText(data.powers)}`,
  },
  LimitsSet: {
    subject: gamerId,
    summary: (data) => (data.wanted ? 'Limits set, higher ones wanted' : 'Limits set'),
    facts: (data) => ({
      'In force': limitsText(data.limits),
      Wanted: data.wanted && limitsText(data.wanted.limits),
      'To be confirmed from': data.wanted && dateAndTime(data.wanted.confirmableFromEpochMs),
    }),
  },
  LimitsConfirmed: {
    subject: gamerId,
    summary: () => 'Higher limits confirmed',
    facts: (data) => ({ 'In force': limitsText(data.limits) }),
  },
  ProtectionProfileSet: {
    subject: none,
    summary: (data) => `The operator’s profile is ${data.profile}`,
    facts: (data) => ({
      'Limits of every gamer': limitsText(data.limits),
      'Own limits': data.mustChooseLimits ? 'required before deposits and purchases' : 'as the gamer likes',
    }),
  },
  GamerExcluded: {
    subject: gamerId,
    summary: (data) => `${reasonText(data.kind)} until ${dateAndTime(data.untilEpochMs)}`,
    facts: (data) => ({ Kind: reasonText(data.kind), Until: dateAndTime(data.untilEpochMs) }),
  },
  ExclusionLifted: {
    subject: gamerId,
    summary: (data) => `May play again from ${dateAndTime(data.playsFromEpochMs)} on`,
    facts: (data) => ({ 'May play from': dateAndTime(data.playsFromEpochMs) }),
  },
} satisfies Partial<LedgerEventDescriptions>;
