import { ActivityRoom } from './activity/activity-room.js';
import { PostsRoom } from './community/posts-room.js';
import { DepositsRoom } from './deposits/deposits-room.js';
import { GameControl } from './game-control/game-control.js';
import { GamersManager } from './gamers/gamers-manager.js';
import { ProfitsRoom } from './profits/profits-room.js';
import { Rail } from './rail.js';
import { TicketsRoom } from './tickets/tickets-room.js';
import { WithdrawalsRoom } from './withdrawals/withdrawals-room.js';
import './admin.css';
import './admin-lists.css';

/** Specification §2, admin panel: four sections, below them the game and the gamers; then what we added. */
const rooms = [
  { id: 'admin-profits', title: 'Admin Profits', Room: ProfitsRoom },
  { id: 'support-tickets', title: 'Support Tickets', Room: TicketsRoom },
  { id: 'deposits', title: 'Deposits', Room: DepositsRoom },
  { id: 'withdrawals', title: 'Withdrawals', Room: WithdrawalsRoom },
  { id: 'game-control', title: 'Game Control', Room: GameControl },
  { id: 'gamers', title: 'Gamers Mini-Manager', Room: GamersManager },
  { id: 'community-posts', title: 'Community posts', Room: PostsRoom },
  { id: 'activity-log', title: 'Activity log', Room: ActivityRoom },
] as const;

/** The back office: a rail of rooms, and the rooms one below the other. */
export function AdminPanel() {
  return (
    <div className="desk">
      <Rail rooms={rooms} />
      <div className="min-w-0">
        {rooms.map(({ id, title, Room }) => (
          <section key={id} id={id} className="room" aria-labelledby={`${id}-title`} tabIndex={-1}>
            <Room title={<h2 id={`${id}-title`}>{title}</h2>} />
          </section>
        ))}
      </div>
    </div>
  );
}
