-- When an account that somebody made for himself and that never flew was last used; else null.
alter table account add column unflown_since timestamptz;
create index account_unflown on account (unflown_since) where unflown_since is not null;
