-- What MADR has beside the texts of a decision.

alter table adr
  add column date text,
  add column decision_makers text[] not null default '{}',
  add column drivers text[] not null default '{}',
  add column options jsonb not null default '[]';
