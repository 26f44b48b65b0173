-- Hosts that own nothing until an operator takes that back: by address, since a host that starts
-- again has another id.
create table drained_host (
  address text primary key,
  since timestamptz not null default now()
);
