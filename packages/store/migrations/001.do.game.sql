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
  created_at timestamptz not null default now(),
  -- Tokens without a generation are judged by their time; one older token may stay valid.
  tokens_from timestamptz,
  kept_token text,
  -- When a registered account that never flew was last used; else null.
  unflown_since timestamptz
);

-- A page of a long listing is read from where it starts.
create index account_created_at_player_id on account (created_at, player_id);
create index account_unflown on account (unflown_since) where unflown_since is not null;

create table setting (
  key text primary key,
  value jsonb not null
);

create table snapshot (
  id bigint generated always as identity primary key,
  era integer not null,
  kind text not null check (kind in ('admin', 'automatic', 'stop', 'backup')),
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
  complete boolean not null default false,
  -- Version of the physics that made it.
  physics integer not null,
  -- Of the last command of each star system that is in it.
  sequences jsonb not null
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

-- What a factory reset, a restore or a request puts aside: the world is a snapshot of its own kind.
create table backup (
  backup_id uuid primary key,
  created_at timestamptz not null default now(),
  snapshot_id bigint not null references snapshot (id),
  -- Rows of the tables account and setting as they were.
  accounts jsonb not null,
  settings jsonb not null,
  -- Those made on request are deleted when there are enough newer ones; the others stay.
  reason text not null check (reason in ('reset', 'restore', 'request', 'import'))
);

-- An unforked line of history, and the snapshot it begins with.
create table era (
  era integer primary key,
  opened_at timestamptz not null default now(),
  reason text not null check (reason in ('new', 'restored', 'reset', 'backup', 'mismatch')),
  snapshot_id bigint not null references snapshot (id),
  physics integer not null
);

-- The commands of each star system, in the order of sequence; never changed.
create table journal (
  era integer not null,
  system text not null,
  sequence bigint not null,
  -- Index at which the command acts, in quanta since J2000.0 TDB.
  lattice bigint not null,
  -- Player who gave it; none: the server.
  actor uuid,
  command jsonb not null,
  primary key (era, system, sequence)
);

-- How far the world had come when a batch of commands was written: one row per last sequence.
create table clock (
  era integer not null,
  system text not null,
  sequence bigint not null,
  lattice bigint not null,
  -- Carried part of a quantum.
  remainder text not null,
  denominator text not null,
  tick bigint not null,
  tick_rate double precision not null,
  time_scale double precision not null,
  paused boolean not null,
  -- What was to be written with the batch and could not be, by its number there.
  refused integer[] not null,
  written_at timestamptz not null default now(),
  primary key (era, system, sequence)
);

create table digest (
  era integer not null,
  system text not null,
  lattice bigint not null,
  digest text not null,
  primary key (era, system, lattice)
);

-- Ships that have left one system for another.
create table hand_off (
  era integer not null,
  -- The one it left.
  system text not null,
  lattice bigint not null,
  ship_id text not null,
  -- The whole ship, JSON.
  ship text not null,
  -- SHA-256 of that, hexadecimal.
  checksum text not null,
  arrived boolean not null,
  primary key (era, system, lattice, ship_id)
);

create index hand_off_in_transit on hand_off (era) where not arrived;

create table maneuver_event (
  id bigint generated always as identity primary key,
  era integer not null,
  system text not null,
  -- Index on the lattice of simulation time, in quanta since J2000.0 TDB.
  lattice bigint not null,
  -- Number of the ship in its world; the id below is the one people know.
  ship_number bigint not null,
  -- Place among all that can happen to a ship at one index.
  ordinal smallint not null,
  ship_id uuid not null,
  maneuver_type text not null,
  event_type text not null,
  phase text not null,
  from_phase text,
  tick bigint not null,
  game_time timestamptz not null,
  element_errors jsonb,
  -- To the target, in metres.
  distance double precision,
  effectivity double precision,
  status_text text,
  extra jsonb not null,
  created_at timestamptz not null default now(),
  -- What a replay makes again is stored once.
  unique (era, system, lattice, ship_number, ordinal)
);

create index maneuver_event_ship on maneuver_event (ship_id, id desc);
create index maneuver_event_type on maneuver_event (event_type, id desc);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor uuid,
  -- The name of an actor is kept: the account may be gone when the entry is read.
  actor_name text,
  address text,
  action text not null,
  subject text,
  detail jsonb
);

-- The owner of the world raises the fence; what carries a lower one is refused.
create table world_owner (
  sole boolean primary key default true check (sole),
  fence bigint not null,
  since timestamptz not null default now()
);

insert into world_owner (fence) values (0);
