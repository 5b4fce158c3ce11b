import type { DepositorStatusResponse, MoneyMoved } from '../../../contracts/http/admin.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import { formatCents } from '../../../contracts/money.js';
import { secondPersonText } from '../../../contracts/second-person-text.js';
import { ledgerCommand } from '../ledger/ledger-command.js';
import { SECOND_PERSON_NEEDED } from '../ledger/second-person-needed.js';

export const TransferWinnings = ledgerCommand(
  'TransferWinnings',
  ({ amountCents }): MessageResponse => ({ message: `${formatCents(amountCents)} moved to your purchase balance` }),
);

export const AdjustBalance = ledgerCommand(
  'AdjustBalance',
  (_command, { events }): MoneyMoved =>
    events[0]?.event.type === 'AdjustmentRequested'
      ? SECOND_PERSON_NEEDED
      : { message: 'The balances were adjusted', isDone: true },
);

export const SetDepositorStatus = ledgerCommand(
  'SetDepositorStatus',
  (_command, { events }): DepositorStatusResponse => {
    const set = events[0]?.event;
    const expiresAt = set?.type === 'DepositorStatusSet' ? set.data.untilEpochMs : null;
    return { isDepositor: expiresAt !== null, expiresAt };
  },
);

export const SetSecondPersonLimit = ledgerCommand(
  'SetSecondPersonLimit',
  (limits): MessageResponse => ({ message: secondPersonText(limits) }),
);
