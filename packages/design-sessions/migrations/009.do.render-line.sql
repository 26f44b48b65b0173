-- The line of renders is in the memory of the only process: a restart goes on with what is left here.
alter table render_request
  drop column subject,
  drop column taken_until,
  drop column turn;
