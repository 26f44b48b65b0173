-- Pilots who let guests see and follow their ships.
create table follow_consent (
  player_id uuid primary key references account (player_id) on delete cascade,
  given_at timestamptz not null default now()
);

create index follow_consent_given_at on follow_consent (given_at desc);
