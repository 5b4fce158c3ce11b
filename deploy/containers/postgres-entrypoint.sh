#!/bin/bash
# What the official image does: as root it takes the folder over and becomes the user postgres, who fills a new folder once.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  install --directory --owner=postgres --group=postgres --mode=700 "$PGDATA"
  chown postgres:postgres /var/lib/postgresql/18
  chmod 775 /var/run/postgresql
  chown postgres:postgres /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups bash "$0" "$@"
fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Its arguments are several words.
  # shellcheck disable=SC2086
  initdb --username="$POSTGRES_USER" --pwfile=<(echo "$POSTGRES_PASSWORD") $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --options="-c listen_addresses=''" --wait start
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
  pg_ctl --mode=fast --wait stop
fi
[ "$1" != postgres ] || set -- "$@" -c listen_addresses='*'
exec "$@"
