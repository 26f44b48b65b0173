-- A server process that may own star systems.
create table host (
  -- Made anew by each start.
  incarnation uuid primary key,
  address text not null,
  -- Raised while it lives.
  beats bigint not null default 0,
  load double precision not null default 0,
  physics integer not null,
  since timestamptz not null default now()
);

-- Who may write for a star system. A claim raises the fence and takes a new uuid, since a fail-over
-- can roll the number back.
create table system_owner (
  system text primary key,
  fence bigint not null default 0,
  claim uuid not null default gen_random_uuid(),
  -- Without a key to `host`, whose check would lock rows of it.
  host uuid,
  -- Of the journal's last batch: the next one names it, so that a gap is found.
  sequence bigint not null default 0,
  wanted_host uuid
)
-- Each batch changes its row, which stays on its page.
with (fillfactor = 50);

insert into system_owner (system, fence, sequence)
select distinct on (system) system, world_owner.fence, sequence
from clock, world_owner order by system, era desc, sequence desc;

drop table world_owner;

alter table hand_off add column state text not null default 'departed'
  check (state in ('departed', 'arrived', 'returned'));
update hand_off set state = 'arrived' where arrived;
alter table hand_off alter column state drop default;
-- Its index goes with it.
alter table hand_off drop column arrived;
create index hand_off_in_transit on hand_off (era) where state = 'departed';
