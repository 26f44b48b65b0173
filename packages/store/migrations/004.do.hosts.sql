-- What a host says of itself with each beat; rows of an earlier release say nothing.
delete from host;
alter table host add column cores integer not null;
alter table host add column release text not null;
-- Behind the owner that it follows, in seconds of game time; null while it follows none.
alter table host add column lag double precision;
-- By the clock of the database, and only to be shown: no host is taken for dead by it. Null before
-- the first beat.
alter table host add column beat_at timestamptz;
-- Each beat changes its row, which stays on its page.
alter table host set (fillfactor = 50);
