import type { AuditEvent } from '../../../../../contracts/http/audit.js';
import { CheckLine } from '../check-line.js';
import { Hash } from '../hash.js';
import { recomputedChain } from './chain.js';
import { useWorkedOutHere } from './use-worked-out-here.js';

/** The event's link of the chain, worked out again by who reads it; where their browser does not hash, by the server. */
export function ChainCheck({ event }: { event: AuditEvent }) {
  const { before, stored, recomputed } = event.chain;
  const here = useWorkedOutHere(event, recomputedChain);
  return (
    <div className="chain">
      <h3>Chain</h3>
      <p>
        <span className="dim">before</span>
        <Hash of={before} />
      </p>
      <p>
        <span className="dim">with this event</span>
        <Hash of={stored} />
      </p>
      {here === undefined ? (
        <p className="dim">Recomputing …</p>
      ) : (
        <ChainVerdict
          stored={stored}
          recomputed={here ?? recomputed}
          where={here === null ? 'on the server' : 'here'}
        />
      )}
    </div>
  );
}

function ChainVerdict({ stored, recomputed, where }: { stored: string; recomputed: string; where: string }) {
  if (recomputed === stored) return <CheckLine holds>Recomputed {where}, equal to what was stored.</CheckLine>;
  return (
    <CheckLine holds={false}>
      <b>Recomputed {where}, NOT equal to what was stored:</b> <Hash of={recomputed} />. The event, or one before it, is
      not what was written.
    </CheckLine>
  );
}
