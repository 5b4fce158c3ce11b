/** The site's address with a gamer's code. */
export const referralUrl = (refCode: string): string => `${window.location.origin}/?ref=${encodeURIComponent(refCode)}`;
