-- The knowledge index. A generation is the index of the library, or of the uploads of one version;
-- it counts once it is current, and whole generations become current in one transaction.

create table knowledge_generation (
  id bigint primary key generated always as identity,
  -- Null is the library.
  version_id uuid references version on delete cascade,
  current boolean not null default false,
  -- SHA-256 of everything it was made from.
  fingerprint text not null,
  chunks integer not null,
  sources integer not null
);
create unique index on knowledge_generation (version_id) nulls not distinct where current;

create table knowledge_chunk (
  generation bigint not null references knowledge_generation on delete cascade,
  ordinal integer not null,
  id uuid not null,
  source_file text not null,
  upload_id uuid references upload on delete cascade,
  section text not null,
  checklist_item text,
  priority text,
  content text not null,
  primary key (generation, ordinal)
);
create index on knowledge_chunk (upload_id) where upload_id is not null;

-- Vocabulary, word vectors, postings and vectors of a generation, in pieces.
create table knowledge_part (
  generation bigint not null references knowledge_generation on delete cascade,
  ordinal integer not null,
  bytes bytea not null,
  primary key (generation, ordinal)
);
-- They do not compress.
alter table knowledge_part alter column bytes set storage external;

-- Whoever indexes, holds the only row by its beat, so that all processes see the same.
create table knowledge_run (
  one boolean primary key default true check (one),
  owner uuid,
  beat timestamptz,
  -- Nobody has asked for it: the service brings its index up to date by itself.
  automatic boolean not null default false,
  signal text check (signal in ('pause', 'stop')),
  started_at timestamptz,
  -- Of all runs, and of the present one where it was asked for with a limit of its own.
  timeout_seconds integer,
  run_timeout_seconds integer,
  progress json,
  last_result json,
  last_error text,
  last_indexed_at timestamptz
);
insert into knowledge_run default values;
