alter table snapshot
  -- Of the last command that is in it; 0 when there was none.
  add column sequence bigint not null default 0,
  -- Version of the physics that made it.
  add column physics integer not null default 1;

update snapshot set sequence = (header ->> 'sequence')::bigint
  where jsonb_typeof(header -> 'sequence') = 'number';

-- An unforked line of history, and the snapshot it begins with.
create table era (
  era integer primary key,
  opened_at timestamptz not null default now(),
  reason text not null check (reason in ('new', 'restored', 'reset', 'backup', 'mismatch')),
  snapshot_id bigint not null references snapshot (id),
  physics integer not null
);

-- Older releases kept no record of eras, but a reset left a backup of the one before.
insert into era (era, opened_at, reason, snapshot_id, physics)
  select distinct on (snapshot.era) snapshot.era, snapshot.created_at,
    case
      when snapshot.era = 1 then 'new'
      when snapshot.era in (
        select before.era + 1 from backup join snapshot before on before.id = backup.snapshot_id
      ) then 'reset'
      else 'restored'
    end,
    snapshot.id, snapshot.physics
  from snapshot where complete order by snapshot.era, snapshot.id;

-- What the world was told, in the order of sequence; never changed.
create table journal (
  era integer not null,
  sequence bigint not null,
  -- Index at which the command acts, in quanta since J2000.0 TDB.
  lattice bigint not null,
  -- Player who gave it; none: the server.
  actor uuid,
  command jsonb not null,
  primary key (era, sequence)
);

-- How far the world had come when a batch of commands was written: one row per last sequence.
create table clock (
  era integer not null,
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
  primary key (era, sequence)
);

create table digest (
  era integer not null,
  lattice bigint not null,
  digest text not null,
  primary key (era, lattice)
);

-- Whoever takes the world raises the fence; what carries a lower one is refused.
create table world_owner (
  sole boolean primary key default true check (sole),
  fence bigint not null,
  since timestamptz not null default now()
);

insert into world_owner (fence) values (0);
