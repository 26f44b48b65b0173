-- Backups made on request are deleted when there are enough newer ones; the others stay.
alter table backup add column reason text not null default 'reset'
  check (reason in ('reset', 'restore', 'request', 'import'));
alter table backup alter column reason drop default;

-- Or 'restore', where the era that followed began with a backup.
update backup set reason = 'restore' from snapshot, era
  where snapshot.id = backup.snapshot_id and era.era = snapshot.era + 1 and era.reason = 'backup';
