-- An account flies one ship, `ship_id`; its others go on without a pilot.
alter table account add column coasting_ships uuid[] not null default '{}';
