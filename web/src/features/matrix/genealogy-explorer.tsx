import { useState } from 'react';
import type { GenealogyResponse, LevelNumber } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../../../contracts/money.js';
import { Loading, Notice } from '../../shared/ui/notice.js';
import type { GenealogyExplorerProps } from './genealogy-dialog.js';
import { GenealogyTree } from './genealogy-tree.js';
import { LevelDialog } from './level-dialog.js';
import { LevelTile } from './level-tile.js';
import { type Level, levelsOf } from './levels.js';
import { useGenealogy } from './matrix.queries.js';
import { SeatingPlan } from './seating-plan.js';
import './genealogy.css';

export function GenealogyExplorer(props: GenealogyExplorerProps) {
  const { gamer, before, onBack, onClose } = props;
  const { data, isPending, isFetching, refetch } = useGenealogy(gamer.id);
  return (
    <div className="gen">
      {isPending && <Loading label="Loading the genealogy tree" rows={8} />}
      {!isPending && data === undefined && (
        <div className="gen-failed">
          <Notice tone="bad" title="Failed to load genealogy data" urgent />
          <button
            type="button"
            className="btn btn--line btn--sm"
            aria-disabled={isFetching || undefined}
            onClick={() => void refetch()}
          >
            {isFetching ? 'Trying again…' : 'Try again'}
          </button>
        </div>
      )}
      {data !== undefined && <Explored key={gamer.id} data={data} {...props} />}
      <div className="actions">
        {before !== null && (
          <button type="button" className="btn btn--line" onClick={onBack}>
            Back to {before.username}
          </button>
        )}
        <button type="button" className="btn btn--line" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  );
}

function Explored({ data, isMe, onOpen }: GenealogyExplorerProps & { data: GenealogyResponse }) {
  const [shown, setShown] = useState<LevelNumber | null>(null);
  const { genealogy, levels: gamersOf, levelWinnings, directReferrals } = data;
  const levels = levelsOf(data);
  const level = levels.find(({ number }) => `${number}` === shown) ?? null;
  return (
    <>
      <SeatingPlan
        root={genealogy}
        levels={levels}
        directIds={new Set(directReferrals.map(({ id }) => id))}
        label={isMe ? 'You' : 'Here'}
      />
      <TeamSize teamSize={genealogy.teamSize} levels={levels} bonusCents={levelWinnings.directBonusCents} isMe={isMe} />
      <div className="tiles">
        {levels.map((each) => (
          <LevelTile key={each.number} level={each} onView={() => setShown(`${each.number}` as LevelNumber)} />
        ))}
      </div>
      <GenealogyTree root={genealogy} />
      <LevelDialog
        level={level}
        gamers={shown === null ? [] : gamersOf[shown]}
        onClose={() => setShown(null)}
        onViewTree={(gamer) => {
          setShown(null);
          onOpen(gamer);
        }}
      />
    </>
  );
}

interface TeamSizeProps {
  teamSize: number;
  levels: Level[];
  bonusCents: number;
  isMe: boolean;
}

function TeamSize({ teamSize, levels, bonusCents, isMe }: TeamSizeProps) {
  const wonCents = levels.reduce((sum, { winningsCents }) => sum + winningsCents, bonusCents);
  return (
    <p className="team">
      <b className="num">{teamSize.toLocaleString('en-US')}</b>
      <span className="dim">
        {teamSize === 1 ? 'gamer' : 'gamers'} in the team,
        <br />
        {teamSize === 0 && isMe ? (
          'whoever joins with your link takes the front row first'
        ) : (
          <>
            <span className={`num ${wonCents > 0 ? 'won' : ''}`}>{formatCents(wonCents)}</span> won from them
            {isMe ? '' : ' by this gamer'}
          </>
        )}
      </span>
    </p>
  );
}
