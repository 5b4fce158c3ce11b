import type { AdminGamerRow, AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import type { ProtectionResponse } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { limitsText } from '../../../../contracts/refusals.js';
import { useApi } from '../../shared/api/use-api.js';
import { dateTimeText, formatCents } from '../../shared/format.js';
import { POLLED_EVERY_MS, usePower } from '../../shared/lists/list-queries.js';
import { ListTabs } from '../../shared/lists/list-table.js';
import { useSession } from '../../shared/session.queries.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Pairs } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { GamerActions } from '../gamers/gamer-actions.js';
import { gamersKey } from '../gamers/gamer-commands.js';
import { DepositorUntil } from '../gamers/gamers-panel.js';
import { GamerRole, roleName } from '../gamers/role-dialog.js';
import { Movements } from '../statements/statement-panel.js';
import { TicketContext } from '../support/ticket-context.js';
import { TicketsPanel } from '../support/tickets-panel.js';

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

function Gamer({ gamer }: { gamer: AdminGamerRow }) {
  const { id, gamerTag, email, role } = gamer;
  const isAdmin = useSession()?.role === 'admin';
  const [handlesMoney, isSupport] = [usePower('money'), usePower('support')];
  const parts = [
    handlesMoney && { title: 'Money', content: <Movements gamerId={id} /> },
    isSupport && { title: 'Tickets', content: <TicketsPanel title={null} gamerId={id} /> },
    isSupport && { title: 'Rounds', content: <TicketContext gamerId={id} /> },
    isSupport && { title: 'Limits', content: <Limits gamerId={id} /> },
    isAdmin && { title: 'Powers', content: <GamerRole gamer={gamer} /> },
  ];
  return (
    <>
      <PanelHead title={<h2>{gamerTag}</h2>}>{role === 'gamer' ? email : `${roleName(role)}, ${email}`}</PanelHead>
      <Pairs
        className="figs num"
        rows={[
          ['Purchase balance', formatCents(gamer.purchaseBalance), 'fig'],
          ['Winnings', formatCents(gamer.currentWinnings), 'fig'],
          ['Depositor until', <DepositorUntil key="until" gamer={gamer} />, 'fig'],
        ]}
      />
      {handlesMoney && <GamerActions gamer={gamer} />}
      <ListTabs label={`About ${gamerTag}`} tabs={parts.filter((part) => part !== false)} />
    </>
  );
}

/** Nobody but the gamer changes them. */
function Limits({ gamerId }: { gamerId: GamerId }) {
  const query = useApi<ProtectionResponse>(['/api', 'gamer', gamerId, 'protection'], { refetchOnMount: 'always' });
  return (
    <QueryResult query={query} what="limits">
      {({ exclusion, limits }) => (
        <p>{`${exclusion ? `Excluded until ${dateTimeText(exclusion.untilEpochMs)}. ` : ''}Own limits: ${limitsText(limits)}.`}</p>
      )}
    </QueryResult>
  );
}
