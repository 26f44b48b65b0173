-- The name of an actor is kept: the account may be gone when the entry is read.
alter table audit add column actor_name text;
alter table audit add column address text;
update audit set actor_name = username from account where player_id = actor;
