#!/bin/sh
# In a new PostgreSQL of compose.yaml: a standby may connect, and has each commit before it is
# acknowledged. It acts once this server has restarted, which is the end of its making.
set -eu
echo 'host replication orrery all scram-sha-256' >>"$PGDATA/pg_hba.conf"
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --command="alter system set synchronous_standby_names = 'standby'"
