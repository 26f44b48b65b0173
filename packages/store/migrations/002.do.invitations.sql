create table invitation (
  -- SHA-256 of the code, base64url: what the database holds is no way in.
  code_hash text primary key,
  player_id uuid not null references account (player_id) on delete cascade,
  expires_at timestamptz not null,
  -- Registrations that may name it still.
  uses_left integer not null check (uses_left >= 0)
);

create index invitation_player on invitation (player_id);
