-- What happens to a ship apart from its maneuvers is in the same log.
alter table maneuver_event alter maneuver_type drop not null, alter phase drop not null;
