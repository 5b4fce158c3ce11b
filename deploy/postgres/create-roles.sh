#!/bin/bash
# Runs once, when the server's folder is new. omni_owner runs the migrations and owns the tables of auth and ledger; omni_app, the role
# of the api and the worker, reads and writes their rows, and owns the read models, which the worker creates and drops.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --set=owner="$POSTGRES_OWNER_PASSWORD" --set=app="$POSTGRES_APP_PASSWORD" \
  --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE omni_owner LOGIN PASSWORD :'owner';
CREATE ROLE omni_app LOGIN PASSWORD :'app';
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
GRANT CONNECT, CREATE ON DATABASE :"DBNAME" TO omni_owner, omni_app;
ALTER DEFAULT PRIVILEGES FOR ROLE omni_owner GRANT USAGE ON SCHEMAS TO omni_app;
ALTER DEFAULT PRIVILEGES FOR ROLE omni_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO omni_app;
ALTER DEFAULT PRIVILEGES FOR ROLE omni_owner GRANT USAGE, SELECT ON SEQUENCES TO omni_app;
SQL
