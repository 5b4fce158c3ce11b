import type { DepositorStatusResponse } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { formatCents } from '../../../../contracts/money.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';

export const TransferWinnings = ledgerCommand(
  'TransferWinnings',
  ({ amountCents }): MessageResponse => ({ message: `${formatCents(amountCents)} moved to your purchase balance` }),
);

export const AdjustBalance = ledgerCommand(
  'AdjustBalance',
  (): MessageResponse => ({ message: 'The balances were adjusted' }),
);

export const SetDepositorStatus = ledgerCommand(
  'SetDepositorStatus',
  (_command, { events }): DepositorStatusResponse => {
    const set = events[0]?.event;
    const expiresAt = set?.type === 'DepositorStatusSet' ? set.data.untilEpochMs : null;
    return { isDepositor: expiresAt !== null, expiresAt };
  },
);
