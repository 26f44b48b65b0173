-- Which versions were cloned into which, so that a repeated request changes nothing.

create table version_clone (
  source_id uuid not null references version on delete cascade,
  target_id uuid not null references version on delete cascade,
  with_coverage boolean not null,
  primary key (target_id, source_id)
);
create index on version_clone (source_id);

-- The original of a copy; it may be gone.
alter table question add column copied_from uuid;
alter table artifact add column copied_from uuid;
