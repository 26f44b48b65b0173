-- Vectors of the library's chunks, by the SHA-256 of their texts; anything here can be made again.
create table chunk_vector (
  hash bytea primary key,
  vector bytea not null
);
