-- Hosts that own nothing until an operator takes that back: by address, since a host that starts
-- again has another id.
create table drained_host (
  address text primary key,
  since timestamptz not null default now()
);
-- When it last gave or got a star system because of its load.
alter table host add column moved_at timestamptz;
