import type { Project } from '../../src/records/projects.ts'
import type { Version } from '../../src/records/versions.ts'
import type { Sent } from '../kit/api.ts'
import type { Place } from './place.ts'

/** What the sections of a version are shown for. */
export interface VersionPage {
  readonly place: Place
  readonly project: Sent<Project>
  readonly version: Sent<Version>
  readonly versions: readonly Sent<Version>[]
  /** of the version's records */
  readonly path: string
}
