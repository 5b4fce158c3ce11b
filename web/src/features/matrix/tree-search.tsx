import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { FoundInTreeResponse } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { useApi } from '../../shared/api/use-api.js';
import { counted, numberText } from '../../shared/format.js';
import { Button, Field } from '../../shared/ui/controls.js';
import { LoadFailure } from '../../shared/ui/notice.js';
import { useSettled } from '../../shared/ui/use-settled.js';
import type { TreeGamer } from './levels.js';

const TYPING_PAUSE_MS = 300;

/** Finds gamers of the whole tree by a part of their GamerTag, also those whom the page has not loaded. */
export function TreeSearch({ rootId, onOpen }: { rootId: GamerId; onOpen: (gamer: TreeGamer) => void }) {
  const [typed, setTyped] = useState('');
  const tag = useSettled(typed.trim(), TYPING_PAUSE_MS);
  return (
    <search className="tree-search" aria-label="Find a gamer in this tree">
      <Field
        label="Find a gamer by tag"
        type="search"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={20}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {tag !== '' && <Found rootId={rootId} tag={tag} onOpen={onOpen} />}
    </search>
  );
}

interface FoundProps {
  rootId: GamerId;
  tag: string;
  onOpen: (gamer: TreeGamer) => void;
}

function Found({ rootId, tag, onOpen }: FoundProps) {
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
        {total === 0 ? `Nobody’s tag here contains “${tag}”.` : `${counted(total, 'gamer')} found.`}
        {total > gamers.length && ` The first ${numberText(gamers.length)}, the nearest level first.`}
      </p>
      <ul className="rows level-rows">
        {gamers.map((gamer) => (
          <li key={gamer.id} className="level-row">
            <span>
              <b>{gamer.username}</b>
              {gamer.isDirect && <span className="you">Direct</span>}
              <span className="t14 dim block num">
                level {gamer.level}, team of {numberText(gamer.teamSize)}
              </span>
            </span>
            <Button
              kind="text"
              text="View tree"
              aria-label={`View tree of ${gamer.username}`}
              onClick={() => onOpen(gamer)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
