-- Who looks after a checklist item that is put off, and until when.

alter table coverage_item
  add column owner text,
  add column due_date text;
