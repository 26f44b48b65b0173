-- Ships without an account that a program beside the server has made: a start leaves them.
create table service_ship (
  ship_id uuid primary key,
  name text not null
);
