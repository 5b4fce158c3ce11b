import './support.css';

/** An address without the punctuation that ends its sentence. */
const ADDRESS = /(https?:\/\/\S*[^\s.,;:!?)\]}>'"])/;
/** Pages that only show something. A stranger's text must not link to one that changes the account of its reader. */
const LINKED_PAGES = /^\/(verify|record|statement|rounds\/\d+|audit)$/;

/** A typed text in which addresses of this site's records are links. Any other address stays text. */
export const LinkedText = ({ text }: { text: string }) => (
  <p className="ticket-text">
    {text.split(ADDRESS).map((part, index) => {
      const url = recordAddress(part);
      if (url === null) return part;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        <a key={index} className="underline" href={url} target="_blank" rel="noopener">
          {part}
        </a>
      );
    })}
  </p>
);

/** The address to link to; null for a text that is not the address of one of this site's records. */
export function recordAddress(text: string, origin = window.location.origin): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.origin === origin && LINKED_PAGES.test(url.pathname) ? url.href : null;
}
