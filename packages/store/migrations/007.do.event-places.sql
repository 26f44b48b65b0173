-- Readers of the stream of events go on from a place in each star system: an id.
create index maneuver_event_place on maneuver_event (era, system, id);

-- The newest event of a star system that was pruned: a reader behind it has lost some.
create table pruned_event (
  system text primary key,
  id bigint not null
);
