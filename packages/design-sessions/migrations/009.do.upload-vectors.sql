-- Vectors of an upload's chunks, one after the other; anything here can be made again. Equal texts
-- have the same digest, and so need no vectors of their own.
create table upload_vector (
  upload_id uuid primary key references upload on delete cascade,
  digest bytea not null,
  vectors bytea not null
);
create index on upload_vector (digest);
