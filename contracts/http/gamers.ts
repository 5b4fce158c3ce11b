import type { GamerId } from '../ids.js';

/** GET /api/gamer/{id} */
export interface GamerProfile {
  id: GamerId;
  gamerTag: string;
  email: string;
  refCode: string;
  isDepositor: boolean;
  /** Epoch milliseconds, or null when never set. */
  depositorExpiresAt: number | null;
  wallet: { purchaseBalanceCents: number };
  balances: { personalWithdrawalsPaidCents: number; currentWinningsCents: number; totalWinningsCents: number };
}

export interface GenealogyNode {
  id: GamerId;
  username: string;
  /** Gamers placed below within seven levels. */
  teamSize: number;
  /** Cut at a depth; empty where the rest is fetched on demand by GET /api/genealogy/{child}. */
  children: GenealogyNode[];
}

export interface LevelGamer {
  id: GamerId;
  username: string;
  /** The opened gamer is their sponsor. */
  isDirect: boolean;
  teamSize: number;
}

export type LevelNumber = '1' | '2' | '3' | '4' | '5' | '6' | '7';

export interface LevelWinnings {
  level1Cents: number;
  level2Cents: number;
  level3Cents: number;
  level4Cents: number;
  level5Cents: number;
  level6Cents: number;
  level7Cents: number;
  /** The extra cent of direct referrals, whatever their level (decisions 1, 2). */
  directBonusCents: number;
}

/** GET /api/genealogy/{id} */
export interface GenealogyResponse {
  genealogy: GenealogyNode;
  levels: Record<LevelNumber, LevelGamer[]>;
  /** How many gamers each level holds; `levels` may list fewer of a large one. */
  levelCounts: Record<LevelNumber, number>;
  levelWinnings: LevelWinnings;
  directReferrals: { id: GamerId; username: string }[];
}

/** POST /api/gamer/{id}/transfer-to-purchase */
export interface TransferRequest {
  amountCents: number;
}

export interface MessageResponse {
  message: string;
}
