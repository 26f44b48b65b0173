-- A page of a long listing is read from where it starts.
create index account_created_at_player_id on account (created_at, player_id);
