-- What the client calls a request, so that its repetition stores nothing.
alter table upload add column idempotency_key text;
create unique index upload_key on upload (version_id, idempotency_key);
