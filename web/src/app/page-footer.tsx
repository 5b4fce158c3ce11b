import { Link } from '@tanstack/react-router';
import { Brand } from '../shared/ui/brand.js';

const socials = [
  { name: 'X', path: 'M4 4l16 16M20 4 4 20' },
  { name: 'Telegram', path: 'M21 4 3 11l6 2.5L18 7l-6.5 8 6 5z' },
  {
    name: 'YouTube',
    path: 'M6 6h12a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3zM10.5 9.5l4 2.5-4 2.5z',
  },
] as const;

/** The social links have no destination (specification §2): they lead to the page they are on. */
export function PageFooter() {
  return (
    <footer className="foot">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Brand />
        <nav aria-label="Social">
          {socials.map(({ name, path }) => (
            <Link
              key={name}
              className="iconbtn"
              to="."
              search={true}
              resetScroll={false}
              title={`${name}: not open yet`}
            >
              <span className="sr">{name}, not open yet</span>
              <svg
                width="18"
                height="18"
                viewBox="0 0 24 24"
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinejoin="round"
                aria-hidden="true"
              >
                <path d={path} />
              </svg>
            </Link>
          ))}
        </nav>
      </div>
      <p>A daily countdown game. Play for winnings only. Not an income opportunity.</p>
    </footer>
  );
}
