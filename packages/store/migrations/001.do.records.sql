create table account (
  player_id uuid primary key,
  username text not null,
  -- The name as compared: NFC, lower case.
  username_key text not null unique,
  password_hash text not null,
  is_admin boolean not null default false,
  ship_id uuid,
  -- Raised to make every token issued before invalid.
  generation integer not null default 0,
  created_at timestamptz not null default now()
);

create table setting (
  key text primary key,
  value jsonb not null
);

create table snapshot (
  id bigint generated always as identity primary key,
  era integer not null,
  kind text not null check (kind in ('admin', 'automatic', 'stop')),
  tick bigint not null,
  -- Index on the lattice of simulation time, in quanta since J2000.0 TDB.
  lattice bigint not null,
  game_time timestamptz not null,
  created_at timestamptz not null default now(),
  header jsonb not null,
  part_count integer not null,
  -- Length before compression.
  byte_count bigint not null,
  -- SHA-256 of the parts in order, as stored, hexadecimal.
  checksum text not null,
  -- Set last: until then the snapshot does not exist.
  complete boolean not null default false
);

create index snapshot_newest on snapshot (era, id desc);

create table snapshot_part (
  snapshot_id bigint not null references snapshot (id) on delete cascade,
  ordinal integer not null,
  bytes bytea not null,
  primary key (snapshot_id, ordinal)
);

-- The parts come compressed; a second compression would only cost time.
alter table snapshot_part alter column bytes set storage external;

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor uuid,
  action text not null,
  subject text,
  detail jsonb
);
