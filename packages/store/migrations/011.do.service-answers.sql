-- What commands under a service token were answered, so that one that comes again acts once.
create table service_answer (
  token_id uuid not null,
  -- the caller's own, in the header Idempotency-Key
  key text not null,
  -- SHA-256 of method, path and body, base64url: another request is refused under the same key
  request_hash text not null,
  -- null: sent to another server, and whether it has acted is in that one's journal
  answer jsonb,
  at timestamptz not null default now(),
  primary key (token_id, key)
);

create index service_answer_at on service_answer (at);
