import { useQueryClient } from '@tanstack/react-query';
import type { MessageResponse, TransferRequest } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { useCommand } from '../../shared/api/use-command.js';
import { gamerQuery } from '../../shared/session/gamer.queries.js';

/** Moves winnings to the purchase balance, then asks for both again. */
export function useTransferToPurchase(gamerId: GamerId) {
  const client = useQueryClient();
  const command = useCommand<MessageResponse, TransferRequest>('POST', (body) => ({
    path: `/api/gamer/${gamerId}/transfer-to-purchase`,
    body,
  }));
  const transfer = async (amountCents: number): Promise<string> => {
    const { message } = await command.mutateAsync({ amountCents });
    await client.invalidateQueries({ queryKey: gamerQuery(gamerId).queryKey });
    return message;
  };
  return { transfer, isPending: command.isPending };
}
