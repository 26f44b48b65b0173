-- Answers that say which items of checklists apply to a version.

alter table version add column facts jsonb not null default '{}';
