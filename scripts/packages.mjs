/** The packages that are built for the server. */
export const SERVER_PACKAGES = ['contracts', 'domain', 'event-log', 'api', 'projections', 'audit', 'embedded', 'bench'];
export const PACKAGES = [...SERVER_PACKAGES, 'web', 'e2e'];
