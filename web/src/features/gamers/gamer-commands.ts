import type { AdminGamerRow } from '../../../../contracts/http/gamers.js';
import { useCommand } from '../../shared/api/use-api.js';

export const gamersKey = ['/api', 'admin', 'mini', 'gamers'] as const;

export function useGamerCommand<Body, Answer = unknown>(gamer: AdminGamerRow, action: string, what: string) {
  const method = action === 'profile' ? 'PATCH' : 'POST';
  const path = `/api/admin/mini/gamers/${gamer.id}/${action}`;
  return useCommand<Body, Answer>(method, path, { what, reloads: [['statement', gamer.id]] });
}

export type OfGamer = { gamer: AdminGamerRow };
export type GamerDialogProps = OfGamer & { onClose: () => void };
