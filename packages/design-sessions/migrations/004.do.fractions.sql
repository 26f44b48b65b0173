-- Time-outs of a reindex may be parts of a second.
alter table knowledge_run
  alter column timeout_seconds type double precision,
  alter column run_timeout_seconds type double precision;
