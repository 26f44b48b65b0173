create table maneuver_event (
  id bigint generated always as identity primary key,
  era integer not null,
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
  unique (era, lattice, ship_number, ordinal)
);

create index maneuver_event_ship on maneuver_event (ship_id, id desc);
create index maneuver_event_type on maneuver_event (event_type, id desc);
