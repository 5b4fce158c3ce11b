import { Link } from '@tanstack/react-router';

/** In place of what a staff member may not use without a second factor. */
export const EnrolFirst = ({ heading: Heading }: { heading: 'h1' | 'h2' }) => (
  <section className="simple" aria-label="Second factor">
    <Heading className="h2">Set up your second factor first</Heading>
    <p className="dim">Staff need one on this site.</p>
    <Link className="btn btn--act" to="/staff">
      Second factor
    </Link>
  </section>
);
