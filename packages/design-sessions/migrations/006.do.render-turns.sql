-- Clients take turns in the queue of renders.
alter table render_request
  -- The address that asked.
  add column client text not null default '',
  -- The lowest is next: those of one client, and all that begin later, lie behind it by their sizes.
  add column turn double precision not null default 0;
create index on render_request (turn, ordinal);
