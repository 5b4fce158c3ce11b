-- A digest under each secret that keys rows of auth.excluded_identities. A node without one of these secrets must not start.
CREATE TABLE auth.exclusion_keys (digest text PRIMARY KEY);
