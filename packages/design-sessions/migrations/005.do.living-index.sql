-- Each process keeps the index in memory and reads the library itself: the database holds only which
-- index is current.
drop table knowledge_part;
drop table knowledge_chunk;
drop table knowledge_generation;

alter table knowledge_run
  -- Moves on with every new index.
  add column generation bigint not null default 0,
  add column with_uploads boolean not null default true;
