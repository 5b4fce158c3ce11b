import { keepPreviousData } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type * as http from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../../contracts/limits.js';
import { useApi } from '../../shared/api/api-client.js';
import { counted, formatCents, numberText } from '../../shared/format.js';
import { Pages } from '../../shared/lists/pages.js';
import { Button, Field } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { useDebounced } from '../../shared/ui/hooks.js';
import { LoadFailure, Loading } from '../../shared/ui/query-result.js';
import { type Level, levelsOf, useGenealogy } from './levels.js';
import { SeatingPlan } from './seating-plan.js';
import './genealogy.css';

interface GenealogyExplorerProps {
  me: http.MatrixGamer;
  /** The gamers whose trees were opened, one from the other. */
  path: readonly http.MatrixGamer[];
  onPath: (path: http.MatrixGamer[]) => void;
  onClose: () => void;
}

export default function GenealogyExplorer({ me, path, onPath, onClose }: GenealogyExplorerProps) {
  const gamer = path.at(-1) ?? me;
  const { data, isPending, refetch } = useGenealogy(gamer.id);
  return (
    <div className="gen">
      {isPending && <Loading label="Loading the genealogy tree" rows={8} />}
      {!isPending && data === undefined && <LoadFailure text="Failed to load genealogy data" onRetry={refetch} />}
      {data && <Tree key={gamer.id} data={data} isMe={gamer === me} onOpen={(next) => onPath([...path, next])} />}
      <div className="actions">
        {path.length > 0 && (
          <Button text={`Back to ${(path.at(-2) ?? me).username}`} onClick={() => onPath(path.slice(0, -1))} />
        )}
        <Button text="Close" onClick={onClose} />
      </div>
    </div>
  );
}

interface TreeProps {
  data: http.GenealogyResponse;
  isMe: boolean;
  onOpen: (gamer: http.MatrixGamer) => void;
}

function Tree({ data, isMe, onOpen }: TreeProps) {
  const treeId = useId();
  const [opened, setOpened] = useState<number | null>(null);
  const { genealogy, levels: gamersOf, levelWinnings } = data;
  const { teamSize } = genealogy;
  const { directBonusCents } = levelWinnings;
  const directs = Object.values(gamersOf).flatMap((gamers) => gamers.filter(({ isDirect }) => isDirect));
  const levels = levelsOf(data);
  const level = levels.find(({ number }) => number === opened);
  const wonCents = levels.reduce((sum, { winningsCents }) => sum + winningsCents, directBonusCents);
  return (
    <>
      <SeatingPlan
        root={genealogy}
        levels={levels}
        directIds={new Set(directs.map(({ id }) => id))}
        label={isMe ? 'You' : 'Here'}
      />
      <p className="team">
        <b className="num">{numberText(teamSize)}</b>
        <span className="dim">
          <span>{`${teamSize === 1 ? 'gamer' : 'gamers'} in the team`}</span>
          <br />
          {teamSize === 0 && isMe ? (
            <span>Gamers who join with your link take the front row first.</span>
          ) : (
            <>
              <span className={`num ${wonCents > 0 ? 'won' : ''}`}>{formatCents(wonCents)}</span>
              <span>{` won from them${isMe ? '' : ' by this gamer'}`}</span>
              {directBonusCents > 0 && <span>{`, ${formatCents(directBonusCents)} of it direct bonus`}</span>}
            </>
          )}
        </span>
      </p>
      <div className="tiles">
        {levels.map((each) => (
          <LevelTile key={each.number} level={each} onView={() => setOpened(each.number)} />
        ))}
      </div>
      {teamSize > 0 && (
        <>
          <TreeSearch rootId={genealogy.id} onOpen={onOpen} />
          <section className="tree" aria-labelledby={treeId}>
            <h3 id={treeId}>The tree, level by level</h3>
            <Branch nodes={genealogy.children} level={1} />
          </section>
        </>
      )}
      {level && (
        <LevelDialog
          rootId={genealogy.id}
          level={level}
          onClose={() => setOpened(null)}
          onViewTree={(gamer) => {
            setOpened(null);
            onOpen(gamer);
          }}
        />
      )}
    </>
  );
}

function LevelTile({ level, onView }: { level: Level; onView: () => void }) {
  const { number, count, capacity, winningsCents } = level;
  const isEmpty = count === 0;
  return (
    <button
      type="button"
      className="tile"
      disabled={isEmpty}
      aria-label={`Level ${number}: ${counted(count, 'gamer')} of ${numberText(capacity)}, ${formatCents(winningsCents)} won. ${isEmpty ? 'Nobody here yet' : 'Click to view'}`}
      onClick={onView}
    >
      <span className="tile-cap num">
        <span>{`Level ${number}`}</span>
        <span>{`L${number}=${numberText(capacity)}`}</span>
      </span>
      <span className="fig num">{numberText(count)}</span>
      <span className={`t14 num ${winningsCents > 0 ? 'won' : ''}`}>{formatCents(winningsCents)}</span>
      <span className="tile-go">{isEmpty ? 'Nobody here yet' : 'Click to view'}</span>
    </button>
  );
}

type TreeSearchProps = { rootId: GamerId; onOpen: (gamer: http.MatrixGamer) => void };

function TreeSearch({ rootId, onOpen }: TreeSearchProps) {
  const [typed, setTyped] = useState('');
  const tag = useDebounced(typed.trim());
  return (
    <search className="tree-search" aria-label="Find a gamer in this tree">
      <Field
        type="search"
        label="Find a gamer by tag"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={20}
        value={typed}
        onChange={setTyped}
      />
      {tag !== '' && <SearchResults rootId={rootId} tag={tag} onOpen={onOpen} />}
    </search>
  );
}

function SearchResults({ rootId, tag, onOpen }: TreeSearchProps & { tag: string }) {
  const { data, isError, refetch } = useApi<http.FoundInTreeResponse>(['/api', 'genealogy', rootId, 'find', { tag }], {
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  if (isError) return <LoadFailure text="The tree could not be searched" onRetry={refetch} />;
  if (data === undefined) return <p className="t14 dim">Searching…</p>;
  const { gamers, total } = data;
  return (
    <>
      <p className="t14 dim" role="status">
        <span>{total === 0 ? `Nobody’s tag here contains “${tag}”.` : `${counted(total, 'gamer')} found.`}</span>
        {total > gamers.length && <span>{` The first ${numberText(gamers.length)}, the nearest level first.`}</span>}
      </p>
      <ul className="rows level-rows">
        {gamers.map((gamer) => (
          <GamerRow key={gamer.id} gamer={gamer} onViewTree={onOpen}>
            {`level ${gamer.level}, team of ${numberText(gamer.teamSize)}`}
          </GamerRow>
        ))}
      </ul>
    </>
  );
}

interface GamerRowProps {
  gamer: http.MatrixGamer & { isDirect: boolean };
  onViewTree: (gamer: http.MatrixGamer) => void;
  children: ReactNode;
}

const GamerRow = ({ gamer, onViewTree, children }: GamerRowProps) => (
  <li className="level-row">
    <span>
      <b>{gamer.username}</b>
      {gamer.isDirect && <span className="you">Direct</span>}
      <span className="t14 dim block num">{children}</span>
    </span>
    <Button kind="text" text="View tree" of={`of ${gamer.username}`} onClick={() => onViewTree(gamer)} />
  </li>
);

interface LevelDialogProps {
  rootId: GamerId;
  level: Level;
  onClose: () => void;
  onViewTree: (gamer: http.MatrixGamer) => void;
}

const LevelDialog = ({ rootId, level: { number, count, capacity }, onClose, onViewTree }: LevelDialogProps) => (
  <Dialog onClose={onClose} title={`Level ${number}, ${numberText(count)} of ${numberText(capacity)}`}>
    <Pages<http.LevelGamer>
      path={['/api', 'genealogy', rootId, 'levels', number]}
      name="gamers"
      empty="No gamers on this level yet"
    >
      {(gamers) => (
        <ul className="rows level-rows">
          {gamers.map((gamer) => (
            <GamerRow key={gamer.id} gamer={gamer} onViewTree={onViewTree}>
              {`team of ${numberText(gamer.teamSize)}`}
            </GamerRow>
          ))}
        </ul>
      )}
    </Pages>
    <div className="actions">
      <Button text="Back" onClick={onClose} />
    </div>
  </Dialog>
);

const Branch = ({ nodes, level }: { nodes: http.GenealogyNode[]; level: number }) => (
  <ul>
    {nodes.map((node) => (
      <TreeNode key={node.id} node={node} level={level} />
    ))}
  </ul>
);

function TreeNode({ node, level }: { node: http.GenealogyNode; level: number }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const team = `team of ${numberText(node.teamSize)}`;
  if (node.teamSize === 0 || level >= MATRIX_DEPTH) {
    return (
      <li>
        <p className="twig">
          <b>{node.username}</b>
          <span className="t14 dim num">L{level}</span>
        </p>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        className="twig"
        aria-expanded={open}
        aria-controls={id}
        aria-label={`${node.username}, level ${level}, ${team}`}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={18} aria-hidden="true" className={open ? 'rotate-90' : ''} />
        <b>{node.username}</b>
        <span className="t14 dim num">{`L${level}, ${team}`}</span>
      </button>
      <div id={id}>
        {open &&
          (node.children.length > 0 ? (
            <Branch nodes={node.children} level={level + 1} />
          ) : (
            <FetchedBranch parent={node} level={level + 1} />
          ))}
      </div>
    </li>
  );
}

/** Levels below the first response's depth are fetched when they are opened. */
function FetchedBranch({ parent, level }: { parent: http.GenealogyNode; level: number }) {
  const { data, isFetching, refetch } = useGenealogy(parent.id);
  if (data !== undefined) return <Branch nodes={data.genealogy.children} level={level} />;
  if (isFetching) return <Loading label={`Loading the team of ${parent.username}`} rows={1} />;
  return <LoadFailure text="Failed to load genealogy data" onRetry={refetch} />;
}
