/** Whose payment it is, as the lists show it; nobody may be known yet. */
export const GamerName = ({ gamerTag }: { gamerTag: string | null }) =>
  gamerTag === null ? <span className="dim">none</span> : <b>{gamerTag}</b>;
