-- The clock of a host's machine less that of the database, in seconds; null until it is known.
alter table host add column clock_offset double precision;
-- As the host judges it: one whose clock is wrong is given nothing.
alter table host add column clock_state text not null default 'right'
  check (clock_state in ('right', 'off', 'wrong'));
