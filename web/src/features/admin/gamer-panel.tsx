import type { AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import type { ProtectionResponse } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { describeExclusion, limitsText } from '../../../../contracts/refusals.js';
import { useApi } from '../../shared/api/use-api.js';
import { formatCents } from '../../shared/format.js';
import { GamerName } from '../../shared/lists/data-table.js';
import { POLLED_EVERY_MS, usePower } from '../../shared/lists/list-queries.js';
import { ListTabs } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Pairs } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { GamerActions } from '../gamers/gamer-actions.js';
import { DepositorUntil, gamersKey, type OfGamer } from '../gamers/gamers-panel.js';
import { describeRole } from '../gamers/role-dialog.js';
import { Movements } from '../statements/statement-panel.js';
import { TicketContext } from '../support/ticket-context.js';
import { GamerTickets } from '../support/tickets-panel.js';

/** All about one gamer, as far as the powers of the session go. */
export function GamerPanel({ gamerId }: { gamerId: GamerId }) {
  const query = useApi<AdminGamersResponse>([...gamersKey, { q: gamerId }], {
    refetchInterval: POLLED_EVERY_MS,
    refetchOnMount: 'always',
  });
  return (
    <QueryResult query={query} what="gamer" rows={8}>
      {({ gamers }) => {
        const gamer = gamers.find(({ id }) => id === gamerId);
        return gamer ? <Gamer gamer={gamer} /> : <p className="empty">No gamer has this address any more.</p>;
      }}
    </QueryResult>
  );
}

function Gamer({ gamer }: OfGamer) {
  const { id, gamerTag, email, sponsor } = gamer;
  const [handlesMoney, isSupport] = [usePower('money'), usePower('support')];
  const history = { title: 'History', content: <TicketContext gamerId={id} /> };
  const money = { title: 'Money', content: <Movements gamerId={id} /> };
  return (
    <>
      <PanelHead title={<h2>{gamerTag}</h2>}>{`${describeRole(gamer)}, ${email}`}</PanelHead>
      {sponsor && (
        <p>
          Sponsor: <GamerName gamerId={sponsor.id} gamerTag={sponsor.gamerTag} />
        </p>
      )}
      <Pairs
        className="figs num"
        rows={[
          ['Purchase balance', formatCents(gamer.purchaseBalance), 'fig'],
          ['Winnings', formatCents(gamer.currentWinnings), 'fig'],
          ['Depositor until', <DepositorUntil key="until" gamer={gamer} />, 'fig'],
        ]}
      />
      {isSupport && <Limits gamer={gamer} />}
      {handlesMoney && <GamerActions gamer={gamer} />}
      {isSupport && (
        <section className="gamer-tickets">
          <h3>Tickets</h3>
          <GamerTickets gamerId={id} />
        </section>
      )}
      <ListTabs
        label={`About ${gamerTag}`}
        tabs={[...(isSupport ? [history] : []), ...(handlesMoney ? [money] : [])]}
      />
    </>
  );
}

/** Nobody but the gamer changes them. */
function Limits({ gamer: { id, gamerTag } }: OfGamer) {
  const query = useApi<ProtectionResponse>(['/api', 'gamer', id, 'protection'], { refetchOnMount: 'always' });
  return (
    <QueryResult query={query} what="limits" rows={1}>
      {({ exclusion, limits }) => (
        <p>
          {exclusion && <b>{`${gamerTag} is ${describeExclusion(exclusion)}. `}</b>}
          {`Own limits: ${limitsText(limits)}.`}
        </p>
      )}
    </QueryResult>
  );
}
