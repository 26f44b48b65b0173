-- What opens some routes to a program beside the server.
create table service_token (
  token_id uuid primary key,
  -- SHA-256 of the token, base64url: what the database holds is no way in.
  token_hash text not null unique,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
