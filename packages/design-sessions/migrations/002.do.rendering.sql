-- The files that artifacts were rendered to, and the queue of those that wait for it.

create table render_output (
  artifact_id uuid not null references artifact on delete cascade,
  filename text not null,
  content_type text not null,
  bytes bytea not null,
  primary key (artifact_id, filename)
);

create sequence render_ordinal;

create table render_request (
  artifact_id uuid primary key references artifact on delete cascade,
  -- Another one with every new request: who renders knows by it whether the result is still wanted.
  ordinal bigint not null default nextval('render_ordinal'),
  -- Tells whether a request is for the same as the one that runs.
  subject text not null,
  attempts integer not null default 0,
  -- Until then a process has it in hand; one that ends does not renew it.
  taken_until timestamptz
);
create index on render_request (ordinal);
