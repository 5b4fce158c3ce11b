#!/bin/bash
# Runs once, when the primary's folder is new: lets a replica connect.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --set=password="$REPLICATION_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE replication REPLICATION LOGIN PASSWORD :'password';
SQL
echo 'host replication replication all scram-sha-256' >> "$PGDATA/pg_hba.conf"
