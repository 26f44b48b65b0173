-- What a version is designed for is its own: it follows the project only while it is being worked
-- on, so that earlier gates and reports stay as they are.

alter table version
  add column description text,
  add column cloud_providers text[] not null default '{}',
  add column architecture_pattern text,
  add column compliance_frameworks text[] not null default '{}';

update version set
  description = project.description,
  cloud_providers = project.cloud_providers,
  architecture_pattern = project.architecture_pattern,
  compliance_frameworks = project.compliance_frameworks
from project where project.id = version.project_id;

create function scope_version() returns trigger language plpgsql as $$
begin
  update version set
    description = new.description,
    cloud_providers = new.cloud_providers,
    architecture_pattern = new.architecture_pattern,
    compliance_frameworks = new.compliance_frameworks
  where project_id = new.id and status in ('draft', 'review')
    and not exists (
      select from version as later
      where later.project_id = new.id and later.created_at > version.created_at
    );
  return null;
end
$$;
create trigger scope_moves after update of
  description, cloud_providers, architecture_pattern, compliance_frameworks
  on project for each row execute function scope_version();
