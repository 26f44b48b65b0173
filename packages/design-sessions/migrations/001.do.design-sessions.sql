-- The records of design sessions: client > project > version > what a version holds. Constraints
-- that answers depend on have names of their own.

create function moved() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end
$$;

-- Which database this is: files outside it lie under its id, or they would be another's.
create table installation (
  one boolean primary key default true check (one),
  id uuid not null default gen_random_uuid()
);
insert into installation default values;

create table client (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  slug text not null,
  logo_path text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint client_slug unique (slug)
);

create table project (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null constraint project_client references client on delete cascade,
  name text not null,
  slug text not null,
  description text,
  cloud_providers text[] not null default '{}',
  status text not null,
  architecture_pattern text,
  compliance_frameworks text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint project_slug unique (client_id, slug)
);

create table version (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null constraint version_project references project on delete cascade,
  version_number text not null,
  -- Text whose order, byte by byte, is the order of the numbers.
  sort_key text not null,
  label text,
  status text not null,
  notes text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint version_number unique (project_id, version_number)
);

create table question (
  id uuid primary key default gen_random_uuid(),
  -- Two rows may have one time.
  ordinal bigint not null generated always as identity,
  version_id uuid not null constraint question_version references version on delete cascade,
  question_text text not null,
  answer_text text,
  status text not null,
  category text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- For coverage, which must not point into another version.
  unique (version_id, id)
);

create table adr (
  id uuid primary key default gen_random_uuid(),
  version_id uuid not null constraint adr_version references version on delete cascade,
  adr_number integer not null,
  title text not null,
  status text not null,
  context text not null,
  decision text not null,
  consequences text not null,
  superseded_by uuid references adr on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint adr_number unique (version_id, adr_number)
);
create index on adr (superseded_by) where superseded_by is not null;

create table artifact (
  id uuid primary key default gen_random_uuid(),
  version_id uuid not null constraint artifact_version references version on delete cascade,
  name text not null,
  artifact_type text not null,
  detail_level text not null,
  engine text not null,
  source_code text,
  output_paths text[] not null default '{}',
  outputs_stale boolean not null default false,
  render_status text not null default 'pending',
  render_error text,
  sort_order integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index on artifact (version_id);

create table coverage_item (
  id uuid primary key default gen_random_uuid(),
  ordinal bigint not null generated always as identity,
  version_id uuid not null constraint coverage_version references version on delete cascade,
  knowledge_file text not null,
  item_text text not null,
  priority text not null,
  status text not null,
  question_id uuid,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint coverage_question foreign key (version_id, question_id)
    references question (version_id, id) on delete set null (question_id)
);
create index on coverage_item (version_id, question_id);

create table inventory_item (
  id uuid primary key default gen_random_uuid(),
  version_id uuid not null constraint inventory_version references version on delete cascade,
  name text not null,
  description text,
  data_type text not null,
  data text not null,
  sort_order integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index on inventory_item (version_id);

create table upload (
  id uuid primary key default gen_random_uuid(),
  ordinal bigint not null generated always as identity,
  version_id uuid not null constraint upload_version references version on delete cascade,
  original_filename text not null,
  content_type text not null,
  file_size integer not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index on upload (version_id);

create trigger moved before update on client for each row execute function moved();
create trigger moved before update on project for each row execute function moved();
create trigger moved before update on version for each row execute function moved();
create trigger moved before update on question for each row execute function moved();
create trigger moved before update on adr for each row execute function moved();
create trigger moved before update on artifact for each row execute function moved();
create trigger moved before update on coverage_item for each row execute function moved();
create trigger moved before update on inventory_item for each row execute function moved();
create trigger moved before update on upload for each row execute function moved();

-- The files that artifacts were rendered to.
create table render_output (
  artifact_id uuid not null references artifact on delete cascade,
  filename text not null,
  content_type text not null,
  bytes bytea not null,
  primary key (artifact_id, filename)
);

-- What is to be rendered: the line is in memory, and a restart goes on with what is left here.
create table render_request (
  artifact_id uuid primary key references artifact on delete cascade,
  ordinal bigint not null generated always as identity,
  attempts integer not null default 0,
  -- The address that asked.
  client text not null default ''
);
create index on render_request (ordinal);

-- What is kept of runs of indexing: the only row. A run itself, and the index, are in memory.
create table knowledge_run (
  one boolean primary key default true check (one),
  timeout_seconds double precision,
  -- Whether uploads are searched.
  with_uploads boolean not null default true,
  last_result json,
  last_error text,
  last_indexed_at timestamptz
);
insert into knowledge_run default values;

-- The number of a deleted decision is not given again.
create table adr_numbers (
  version_id uuid primary key references version on delete cascade,
  highest integer not null
);

create function keep_adr_number() returns trigger language plpgsql as $$
begin
  insert into adr_numbers (version_id, highest)
  -- A version that is deleted with its decisions is gone already.
  select id, old.adr_number from version where id = old.version_id
  on conflict (version_id) do update
    set highest = greatest(adr_numbers.highest, excluded.highest);
  return null;
end
$$;
create trigger keep_number after delete on adr for each row execute function keep_adr_number();

-- A decision that is valid again has no successor.
create function revive_adr() returns trigger language plpgsql as $$
begin
  new.superseded_by := null;
  return new;
end
$$;
create trigger revived before update on adr for each row
  when (old.status = 'superseded' and new.status <> 'superseded') execute function revive_adr();
