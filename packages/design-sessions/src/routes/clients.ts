import type { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { type Client, clients } from '../records/clients.ts'
import { type Project, projects } from '../records/projects.ts'
import { slug } from '../records/slug.ts'
import { insert, update } from '../tables/table.ts'
import { removeWithFiles } from '../records/upload-files.ts'
import { resourceRoutes } from '../requests/resource.ts'

type Parts = Pick<AppParts, 'sql' | 'uploads'>

/** Clients; slugs are derived from names and unique. */
export function clientRoutes({ sql, uploads }: Parts): Hono {
  return resourceRoutes({
    sql,
    kind: clients,
    path: '/clients',
    parameter: 'client_id',
    tag: 'clients',
    clash: 'Client with this name already exists',
    removable: true,
    actions: {
      create: (values) => insert<Client>(sql, clients, withSlug(values)),
      update: (place, changes, revision) =>
        update<Client>(sql, clients, place, withSlug(changes), revision),
      remove: removeWithFiles({ sql, uploads }, clients),
    },
  })
}

/** Projects of a client; slugs are unique in the client. */
export function projectRoutes({ sql, uploads }: Parts): Hono {
  return resourceRoutes({
    sql,
    kind: projects,
    path: '/clients/:client_id/projects',
    parameter: 'project_id',
    tag: 'projects',
    clash: 'Project with this name already exists for this client',
    removable: true,
    actions: {
      create: (values, client_id) =>
        insert<Project>(sql, projects, withSlug({ ...values, client_id })),
      update: (place, changes, revision) =>
        update<Project>(sql, projects, place, withSlug(changes), revision),
      remove: removeWithFiles({ sql, uploads }, projects),
    },
  })
}

function withSlug<Values extends { readonly name?: string | undefined }>(
  values: Values,
): Values & { readonly slug?: string } {
  return values.name === undefined ? values : { ...values, slug: slug(values.name) }
}
