-- Only a release with the same physics can replay a journal, and none from before opens what
-- follows: commands or time after the last stored world are refused while that release still can.
do $$
declare
  physics integer;
begin
  select last.physics into physics
    from (
      select * from snapshot
      where complete and kind <> 'backup' and era = (select max(era) from era)
      order by id desc limit 1
    ) last
    where exists (select from journal where era = last.era and sequence > last.sequence)
      or exists (select from clock where era = last.era and lattice > last.lattice);
  if found then
    raise exception 'The journal was written by a release with physics %: start and stop that '
      'release once more, then this one', physics;
  end if;
end $$;

-- Each star system has its own journal, clock, digests and numbers of ships. Rows of the releases
-- before, which had one for all, belong to the system ''.
alter table journal add column system text not null default '';
alter table journal alter column system drop default;
alter table journal drop constraint journal_pkey;
alter table journal add primary key (era, system, sequence);

alter table clock add column system text not null default '';
alter table clock alter column system drop default;
alter table clock drop constraint clock_pkey;
alter table clock add primary key (era, system, sequence);

alter table digest add column system text not null default '';
alter table digest alter column system drop default;
alter table digest drop constraint digest_pkey;
alter table digest add primary key (era, system, lattice);

alter table maneuver_event add column system text not null default '';
alter table maneuver_event alter column system drop default;
alter table maneuver_event drop constraint maneuver_event_era_lattice_ship_number_ordinal_key;
alter table maneuver_event add unique (era, system, lattice, ship_number, ordinal);

-- Of the last command of each system that is in it.
alter table snapshot add column sequences jsonb not null default '{}';
update snapshot set sequences = jsonb_build_object('', sequence);
alter table snapshot alter column sequences drop default;
alter table snapshot drop column sequence;

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
