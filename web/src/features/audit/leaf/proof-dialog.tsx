import type { AuditMerkleProof } from '../../../../../contracts/http/audit.js';
import { counted } from '../../../shared/format/clock-text.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Listed } from '../../../shared/ui/listed.js';
import { useMerkleProof } from '../audit.queries.js';
import { numberText } from '../audit-words.js';
import { CheckLine } from '../check-line.js';
import { rootFrom } from './merkle.js';
import { useWorkedOutHere } from './use-worked-out-here.js';

interface ProofDialogProps {
  number: number;
  roundId: number | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** That a purchase was among those its round was decided by. */
export function ProofDialog({ number, roundId, ...dialog }: ProofDialogProps) {
  return (
    <Dialog
      {...dialog}
      wide
      title={`Merkle proof of round ${roundId}`}
      description={`That event ${numberText(number)} is among the purchases whose root was written when the round ended (RFC 6962).`}
    >
      <Proof number={number} />
    </Dialog>
  );
}

function Proof({ number }: { number: number }) {
  const query = useMerkleProof(number);
  return (
    <Listed query={query} what="proof" rows={6}>
      {(proof) => <ProofMatter proof={proof} />}
    </Listed>
  );
}

function ProofMatter({ proof }: { proof: AuditMerkleProof }) {
  const { leafIndex, treeSize, leaf, leafHash, path, root, endedNumber } = proof;
  return (
    <div className="audit-proof">
      <dl className="kv">
        <dt>Purchase</dt>
        <dd>
          {numberText(leafIndex + 1)} of {counted(treeSize, 'purchase')} of the round
        </dd>
        <dt>Leaf</dt>
        <dd className="code">{leaf}</dd>
        <dt>Its hash</dt>
        <dd className="code">{leafHash}</dd>
      </dl>
      <Path path={path} />
      <dl className="kv">
        <dt>Root</dt>
        <dd>
          <span className="code">{root}</span>
          <br />
          as event {numberText(endedNumber)} carries it
        </dd>
      </dl>
      <ProofVerdict proof={proof} />
    </div>
  );
}

function Path({ path }: Pick<AuditMerkleProof, 'path'>) {
  if (path.length === 0) return <p className="t14 dim">The round had one purchase: its hash is the root.</p>;
  return (
    <div>
      <h3>Path, from the leaf up</h3>
      <ol className="path">
        {path.map(({ side, hash }) => (
          <li key={hash}>
            <span className="dim">{side}</span> <span className="code">{hash}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function ProofVerdict({ proof }: { proof: AuditMerkleProof }) {
  const here = useWorkedOutHere(proof, rootFrom);
  if (here === undefined) return <p className="check dim">Working out the root …</p>;
  const where = here === null ? 'on the server' : 'here';
  const recomputed = here ?? proof.recomputedRoot;
  if (recomputed === proof.root)
    return <CheckLine holds>Worked out {where}: leaf and path lead to the root that was written.</CheckLine>;
  return (
    <CheckLine holds={false}>
      <b>Worked out {where}, leaf and path do NOT lead to the root that was written, but to</b>{' '}
      <span className="code">{recomputed}</span>.
    </CheckLine>
  );
}
