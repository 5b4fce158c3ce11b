import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { GenealogyNode } from '../../../../contracts/http/gamers.js';
import { MATRIX_DEPTH } from '../../../../contracts/limits.js';
import { useGenealogy } from './matrix.queries.js';

/** The tree as lists within lists: every gamer with a team is a button that opens the level below. */
export function GenealogyTree({ root }: { root: GenealogyNode }) {
  const id = useId();
  if (root.teamSize === 0) return null;
  return (
    <section className="tree" aria-labelledby={id}>
      <h3 id={id}>The tree, level by level</h3>
      <Branch nodes={root.children} level={1} />
    </section>
  );
}

function Branch({ nodes, level }: { nodes: GenealogyNode[]; level: number }) {
  return (
    <ul>
      {nodes.map((node) => (
        <Twig key={node.id} node={node} level={level} />
      ))}
    </ul>
  );
}

function Twig({ node, level }: { node: GenealogyNode; level: number }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const team = `team of ${node.teamSize.toLocaleString('en-US')}`;
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
        <span className="t14 dim num">
          L{level}, {team}
        </span>
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

/** What the first answer left out is asked for when somebody opens it. */
function FetchedBranch({ parent, level }: { parent: GenealogyNode; level: number }) {
  const { data, isFetching, refetch } = useGenealogy(parent.id);
  if (data !== undefined) return <Branch nodes={data.genealogy.children} level={level} />;
  if (isFetching) {
    return (
      <p role="status" className="twig dim">
        Loading the team of {parent.username}…
      </p>
    );
  }
  return (
    <p role="alert" className="twig bad">
      Failed to load genealogy data.
      <button type="button" className="linkish" onClick={() => void refetch()}>
        Try again
      </button>
    </p>
  );
}
