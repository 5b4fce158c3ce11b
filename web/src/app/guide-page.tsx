import type { GenealogyNode } from '../../../contracts/http/matrix.js';
import * as guide from '../features/guide/guide-content.js';
import { emptyLevels } from '../features/matrix/levels.js';
import { SeatingPlan } from '../features/matrix/seating-plan.js';
import { useTerms } from '../shared/board.js';
import { Act } from '../shared/ui/act.js';
import '../features/guide/guide.css';
import { PageLink } from '../shared/ui/controls.js';

export default function GuidePage() {
  const { tokenPriceCents } = useTerms();
  return (
    <>
      <Act title="A round in half a minute" lead="Three gamers, four tokens, one winner, at ten times the speed.">
        <guide.GuideVideo />
      </Act>
      <Act id="rules" title="The rules" lead="All of them.">
        <guide.Rules />
      </Act>
      <Act
        title={`Where the ${tokenPriceCents} cents go`}
        lead={
          <p>
            Every cent of a token has its place, and the ledger shows it.{' '}
            <PageLink className="underline" to="/verify" text="Check the ledger yourself" />, or read{' '}
            <PageLink className="underline" to="/record" text="what the operator changed by hand" />.
          </p>
        }
      >
        <guide.SplitPicture />
      </Act>
      <Act id="fairness" title="The honest odds" lead="What you can expect, in plain numbers.">
        <guide.HonestOdds />
      </Act>
      <Act
        title="The 3x7 matrix"
        lead="Three seats below each gamer, seven rows deep. It is free, and places fill automatically."
      >
        <div className="guide-plan">
          <SeatingPlan root={sample} levels={sampleLevels} directIds={new Set(['1', '3'])} label="You" />
        </div>
      </Act>
      <Act title="Referrals" lead="What happens when somebody registers with your link.">
        <guide.ReferralPicture />
      </Act>
      <Act title="The game loop" lead="Once started, the rounds follow one another.">
        <guide.CurrentPhase />
        <guide.LoopPicture />
      </Act>
      <Act title="Tips">
        <guide.GuideTips />
      </Act>
    </>
  );
}

const gamer = (id: string, children: GenealogyNode[] = []): GenealogyNode => ({
  id,
  username: `Gamer ${id}`,
  teamSize: children.length,
  children,
});

const sample = gamer('0', [
  gamer('1', [gamer('4', [gamer('12'), gamer('13')]), gamer('5', [gamer('14')]), gamer('6')]),
  gamer('2', [gamer('7', [gamer('15')]), gamer('8'), gamer('9')]),
  gamer('3', [gamer('10'), gamer('11')]),
]);
const sampleCounts = [3, 8, 4, 0, 0, 0, 0];
const sampleLevels = emptyLevels.map((level, place) => ({ ...level, count: sampleCounts[place] ?? 0 }));
