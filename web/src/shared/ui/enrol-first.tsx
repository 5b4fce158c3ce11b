import { Link } from '@tanstack/react-router';

/** In place of what a staff member may not use without a second factor. */
export const EnrolFirst = () => (
  <section className="simple" aria-label="Second factor">
    <h2 className="h2">Set up your second factor first</h2>
    <p className="dim">Staff need one on this site.</p>
    <Link className="btn btn--act" to="/staff">
      Second factor
    </Link>
  </section>
);
