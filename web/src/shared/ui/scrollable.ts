/** Properties of a scrolling region. The keyboard must reach it even when it holds no control (WCAG 2.1.1). */
export const scrollable = (label: string) => ({ role: 'region', tabIndex: 0, 'aria-label': label });
