alter table snapshot drop constraint snapshot_kind_check;
alter table snapshot add constraint snapshot_kind_check
  check (kind in ('admin', 'automatic', 'stop', 'backup'));

-- What a factory reset puts aside: the world is a snapshot of its own kind.
create table backup (
  backup_id uuid primary key,
  created_at timestamptz not null default now(),
  snapshot_id bigint not null references snapshot (id),
  -- Rows of the tables account and setting as they were.
  accounts jsonb not null,
  settings jsonb not null
);
