import type { GenealogyNode, GenealogyResponse, LevelNumber, LevelWinnings } from '../../../contracts/http/gamers.js';
import type { GamerId } from '../../../contracts/ids.js';

/** Levels of the tree that come with the first answer; a child below is opened by its own GET. */
export const EAGER_DEPTH = 3;

export interface DownlineGamer {
  id: GamerId;
  parentId: GamerId | null;
  username: string;
  teamSize: number;
  /** 0 is the opened gamer. */
  level: number;
  isDirect: boolean;
}

interface Opened {
  directBonusCents: number;
  /** Level by level, left to right, the opened gamer first. */
  downline: DownlineGamer[];
  levels: { level: number; gamers: number; winningsCents: number }[];
  directReferrals: { id: GamerId; username: string }[];
}

export function genealogyOf({ directBonusCents, downline, levels, directReferrals }: Opened): GenealogyResponse {
  const levelOf = (number: number) => levels.find(({ level }) => level === number);
  return {
    genealogy: treeOf(downline),
    levels: byLevel((number) =>
      downline
        .filter(({ level }) => level === number)
        .map(({ id, username, isDirect, teamSize }) => ({ id, username, isDirect, teamSize })),
    ),
    levelCounts: byLevel((number) => levelOf(number)?.gamers ?? 0),
    levelWinnings: winningsOf((number) => levelOf(number)?.winningsCents ?? 0, directBonusCents),
    directReferrals,
  };
}

function treeOf(downline: DownlineGamer[]): GenealogyNode {
  const nodes = new Map<GamerId, GenealogyNode>();
  for (const { id, parentId, username, teamSize, level } of downline) {
    if (level > EAGER_DEPTH) break;
    const node: GenealogyNode = { id, username, teamSize, children: [] };
    nodes.set(id, node);
    // The opened gamer may have a parent too, which is not part of this tree.
    if (level > 0 && parentId !== null) nodes.get(parentId)?.children.push(node);
  }
  const root = downline[0] && nodes.get(downline[0].id);
  if (!root) throw new Error('a downline begins with the opened gamer');
  return root;
}

function winningsOf(centsOf: (level: number) => number, directBonusCents: number): LevelWinnings {
  return {
    level1Cents: centsOf(1),
    level2Cents: centsOf(2),
    level3Cents: centsOf(3),
    level4Cents: centsOf(4),
    level5Cents: centsOf(5),
    level6Cents: centsOf(6),
    level7Cents: centsOf(7),
    directBonusCents,
  };
}

function byLevel<T>(ofLevel: (level: number) => T): Record<LevelNumber, T> {
  return {
    '1': ofLevel(1),
    '2': ofLevel(2),
    '3': ofLevel(3),
    '4': ofLevel(4),
    '5': ofLevel(5),
    '6': ofLevel(6),
    '7': ofLevel(7),
  };
}
