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
