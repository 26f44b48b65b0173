/** Folders of a package's sources, by package: each may import itself and those before it. */
export const LAYERS: Readonly<Record<string, string>> = {
  sim:
    'math ephemeris state orbits rails attitude field ' +
    'guidance ships rules chunks commands forecast',
  engine:
    'time kernels orders world rules maneuvers views objects commands image pool prediction ' +
    'trajectories',
  protocol: 'bodies frames glossary orders routes socket',
  gateway:
    'environment documents forwarding views frames connection binary talk votes sockets ' +
    'operations requests routes past remote carried hosting',
  http: 'logs errors config limits documents service',
  store: 'accounts snapshots journal backups',
  'design-sessions':
    'tables records markdown sentences words indexing workflow ' +
    'pictures engines typesetting rendering ' +
    'documents madr changes bundle mcp requests routes',
  client: 'clocks requests socket scene feeds pilot forecast flight almanac',
  web:
    'storage languages space quantities session readings orders forecast events game ' +
    'scene sky bodies craft lines view guests labels page input ' +
    'elements past dates practice record talk votes accounts instruments plans ' +
    'order-forms modules places voyage alarms frame',
  console: 'operator map controls map-panel charts desk',
}

/** Files beside the folders that all of these may import; the others are above them. */
export const GROUND: Readonly<Record<string, readonly string[]>> = {
  sim: ['lattice.ts', 'sim-error.ts'],
  engine: ['engine-error.ts', 'background-thread.ts'],
  protocol: [
    'display-name.ts',
    'errors.ts',
    'failure-reason.ts',
    'field-sentences.ts',
    'identifiers.ts',
    'limits.ts',
    'numbers.ts',
    'query.ts',
    'ship.ts',
    'talk-text.ts',
    'vector.ts',
  ],
  'design-sessions': [
    'app-parts.ts',
    'author.ts',
    'capitalised.ts',
    'client.ts',
    'errors.ts',
    'openapi.ts',
    'pauses.ts',
    'plain-text.ts',
    'render-error.ts',
    'turns.ts',
    'waiting-line.ts',
  ],
  client: ['client-error.ts', 'listeners.ts', 'platform.ts'],
  gateway: ['app-parts.ts', 'config.ts', 'own-passwords.ts', 'page-files.ts'],
  store: ['audit.ts', 'error.ts', 'json.ts', 'ownership.ts', 'settings.ts'],
}
