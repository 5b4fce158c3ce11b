import type { LostHistory } from './history-loss.js';

/** GET /api/ledger/key: the public keys that sign the ledger's heads, and its witnesses. */
export interface LedgerKeys {
  /** The key's name, which is the first line of every signed head. */
  name: string;
  /** "name+id+base64" (c2sp.org/signed-note). The first one is in force; a second one is being replaced, and still signs. */
  keys: string[];
  /** The policy by which heads are witnessed (c2sp.org/tlog-policy), with the witnesses' addresses; null without one. */
  policy: string | null;
  /** Oldest first. */
  losses: LostHistory[];
}
