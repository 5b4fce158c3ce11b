import { Link } from '@tanstack/react-router';
import { Brand } from '../shared/ui/brand.js';

export function NotFoundPage() {
  return (
    <div className="wrap">
      <header className="topbar">
        <Brand />
      </header>
      <main className="grid justify-items-start gap-4 py-16">
        <p className="label">404</p>
        <h1 className="h2">Page Not Found</h1>
        <p className="dim">Nothing is played at this address.</p>
        <Link className="btn btn--act" to="/">
          Go to the game
        </Link>
      </main>
    </div>
  );
}
