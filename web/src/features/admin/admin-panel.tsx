import { GameControl } from './game-control.js';
import { GamersManager } from './gamers-manager.js';
import './admin.css';

const rooms = [
  { id: 'game-control', title: 'Game Control', Room: GameControl },
  { id: 'gamers', title: 'Gamers Mini-Manager', Room: GamersManager },
] as const;

/** The back office: a rail of rooms, and the rooms one below the other. */
export function AdminPanel() {
  return (
    <div className="desk">
      <nav className="rail" aria-label="Back office">
        <ul>
          {rooms.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        {rooms.map(({ id, title, Room }) => (
          <section key={id} id={id} className="room" aria-labelledby={`${id}-title`}>
            <Room title={<h2 id={`${id}-title`}>{title}</h2>} />
          </section>
        ))}
      </div>
    </div>
  );
}
