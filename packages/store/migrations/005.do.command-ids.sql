-- Under which others sent the command, and those merged into it: sent again, it acts no more.
alter table journal add column command_ids uuid[];
