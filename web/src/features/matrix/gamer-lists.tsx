import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { FoundInTreeResponse, MatrixGamer } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { useApi } from '../../shared/api/api-client.js';
import { counted, numberText } from '../../shared/format.js';
import { Pages } from '../../shared/lists/pages.js';
import { Button, Field } from '../../shared/ui/controls.js';
import { useSettled } from '../../shared/ui/hooks.js';
import { LoadFailure, scrollable } from '../../shared/ui/notice.js';

export const DirectReferrals = ({ gamerId, count }: { gamerId: GamerId; count: number }) => (
  <div>
    <h3>My Direct Referrals</h3>
    {count > 0 && <p className="t14 dim mt-1 mb-3">{`${counted(count, 'gamer')} joined with your link.`}</p>}
    <Pages<MatrixGamer>
      path={['/api', 'genealogy', gamerId, 'direct-referrals']}
      version={count}
      name="gamers"
      empty="Nobody has joined with your link yet."
    >
      {(gamers) => (
        <div className="refs" {...scrollable('My direct referrals')}>
          <ul>
            {gamers.map((gamer) => (
              <li key={gamer.id}>{gamer.username}</li>
            ))}
          </ul>
        </div>
      )}
    </Pages>
  </div>
);

export function TreeSearch({ rootId, onOpen }: { rootId: GamerId; onOpen: (gamer: MatrixGamer) => void }) {
  const [typed, setTyped] = useState('');
  const tag = useSettled(typed.trim());
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
      {tag !== '' && <Found rootId={rootId} tag={tag} onOpen={onOpen} />}
    </search>
  );
}

function Found({ rootId, tag, onOpen }: { rootId: GamerId; tag: string; onOpen: (gamer: MatrixGamer) => void }) {
  const { data, isError, refetch } = useApi<FoundInTreeResponse>(['/api', 'genealogy', rootId, 'find', { tag }], {
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
  gamer: MatrixGamer & { isDirect: boolean };
  onViewTree: (gamer: MatrixGamer) => void;
  children: ReactNode;
}

export const GamerRow = ({ gamer, onViewTree, children }: GamerRowProps) => (
  <li className="level-row">
    <span>
      <b>{gamer.username}</b>
      {gamer.isDirect && <span className="you">Direct</span>}
      <span className="t14 dim block num">{children}</span>
    </span>
    <Button kind="text" text="View tree" of={`of ${gamer.username}`} onClick={() => onViewTree(gamer)} />
  </li>
);
