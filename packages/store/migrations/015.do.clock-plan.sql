-- How the clocks of hosts run that share a universe: from an index on, written before it is reached
-- by the owner of the home system. Rows are not changed; a later one counts before those at or past
-- its index.
create table clock_plan (
  era integer not null,
  number bigint not null,
  lattice bigint not null,
  -- By the clock of this database: when a clock that goes by the plan is there.
  at timestamptz not null,
  tick_rate double precision not null,
  time_scale double precision not null,
  -- Game seconds per second in force.
  pace double precision not null,
  paused boolean not null,
  adaptive boolean not null,
  -- Index that game time hurries to.
  goal bigint,
  primary key (era, number)
);
