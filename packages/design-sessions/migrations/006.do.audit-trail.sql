-- Who changed what. Entries outlive their records, and so refer to none.

create table audit_entry (
  id bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp(),
  -- As the request names them.
  author text,
  action text not null,
  kind text not null,
  record_id uuid not null,
  title text not null,
  client_id uuid,
  project_id uuid,
  version_id uuid,
  changes jsonb not null
);
create index on audit_entry (client_id, id);
create index on audit_entry (project_id, id);
create index on audit_entry (version_id, id);
create index on audit_entry (record_id, id);

-- Adds an entry for a record, which knows its parent; the place above that is looked up.
create function note_change(author text, action text, kind text, record jsonb, changes jsonb)
returns void language plpgsql as $$
declare
  own uuid := record ->> 'id';
  at_version uuid := case kind when 'version' then own else (record ->> 'version_id')::uuid end;
  at_project uuid := case kind when 'project' then own else coalesce(
    (record ->> 'project_id')::uuid,
    (select project_id from version where id = at_version)
  ) end;
  at_client uuid := case kind when 'client' then own else coalesce(
    (record ->> 'client_id')::uuid,
    (select client_id from project where id = at_project)
  ) end;
begin
  insert into audit_entry
    (author, action, kind, record_id, title, client_id, project_id, version_id, changes)
  values (
    author, action, kind, own,
    left(coalesce(
      record ->> 'name', record ->> 'title', record ->> 'version_number', record ->> 'question_text',
      record ->> 'item_text', record ->> 'original_filename'
    ), 200),
    at_client, at_project, at_version, changes
  );
end
$$;
