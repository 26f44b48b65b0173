-- When a registered account that never flew was last used; else null.
alter table account add column unflown_since timestamptz;
create index account_unflown on account (unflown_since) where unflown_since is not null;
