import { Link } from '@tanstack/react-router';

export function Brand() {
  return (
    <Link className="brand" to="/">
      <span className="mark" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      Omni Jackpot
    </Link>
  );
}
