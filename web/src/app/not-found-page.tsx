import { Link } from '@tanstack/react-router';
import { SimplePage } from './simple-page.js';

export function NotFoundPage() {
  return (
    <SimplePage>
      <p className="label">404</p>
      <h1 className="h2">Page Not Found</h1>
      <p className="dim">Nothing is played at this address.</p>
      <Link className="btn btn--act" to="/">
        Go to the game
      </Link>
    </SimplePage>
  );
}
