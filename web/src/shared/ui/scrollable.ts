/** What scrolls must be reached by the keyboard, also where nothing in it can be pressed (WCAG 2.1.1). */
export const scrollable = (label: string) => ({ role: 'region', tabIndex: 0, 'aria-label': label });
