import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { ActivityTopic } from '../../../contracts/http/people.js';

/** Which events of an admin's each topic takes in. What has no topic is told only where nothing is asked for. */
export const TYPES_ABOUT: Record<ActivityTopic, readonly OurEvent['type'][]> = {
  game: ['GameStarted', 'LiveStarted', 'GameReset', 'TimersChanged'],
  gamers: ['AdminSignedIn', 'GamerRenamed', 'EmailChanged', 'PasswordChanged', 'RoleChanged', 'GamerRemoved'],
  money: [
    'BalanceAdjusted',
    'DepositorStatusSet',
    'PaymentSeen',
    'DepositRecorded',
    'DepositApproved',
    'DepositRejected',
    'WithdrawalProcessing',
    'WithdrawalCompleted',
    'WithdrawalReturned',
    'ProfitWithdrawalRequested',
    'ProfitWithdrawalCompleted',
    'ProfitWithdrawalReturned',
  ],
  support: ['TicketOpened', 'TicketClosed', 'TicketReopened', 'TicketNoted'],
  community: ['PostPublished', 'PostHidden'],
};
