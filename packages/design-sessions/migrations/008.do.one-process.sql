-- One process has the database: a run of indexing is in its memory, and only results are kept.
alter table knowledge_run
  drop column owner,
  drop column beat,
  drop column automatic,
  drop column signal,
  drop column started_at,
  drop column run_timeout_seconds,
  drop column progress,
  drop column generation;
