-- Tokens without a generation are judged by their time; one older token may stay valid.
alter table account add column tokens_from timestamptz;
alter table account add column kept_token text;
