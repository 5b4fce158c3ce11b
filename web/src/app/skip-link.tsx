/** Each page's matter carries it, and takes the focus when somebody skips to it. */
export const mainTarget = { id: 'main', tabIndex: -1 } as const;

/** The first stop of the Tab key: past the header, to what the page is about. */
export function SkipLink() {
  return (
    <a
      className="skip"
      href={`#${mainTarget.id}`}
      onClick={(event) => {
        // The address stays as it is, with the token or the referral code in it.
        event.preventDefault();
        document.getElementById(mainTarget.id)?.focus();
      }}
    >
      Skip to the content
    </a>
  );
}
