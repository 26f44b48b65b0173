/** What the machine can draw. */
export interface Graphics {
  /** whether the processor does the work of a graphics card */
  readonly isSoftware: boolean
  readonly antialias: boolean
  /** pixels from pole to pole of the surfaces that are drawn */
  readonly mapHeight: number
  /** the same of images, which are reduced to it */
  readonly imageHeight: number
  /** samples along a slant */
  readonly anisotropy: number
}

const CARD: Graphics = {
  isSoftware: false,
  antialias: true,
  mapHeight: 1024,
  imageHeight: 2048,
  anisotropy: 8,
}

const PROCESSOR: Graphics = {
  isSoftware: true,
  antialias: false,
  mapHeight: 512,
  imageHeight: 1024,
  anisotropy: 1,
}

/** What this machine can draw; undefined without WebGL 2. */
export function graphicsHere(): Graphics | undefined {
  const context = document.createElement('canvas').getContext('webgl2')
  if (!context) return undefined
  const info = context.getExtension('WEBGL_debug_renderer_info')
  const name: unknown = info && context.getParameter(info.UNMASKED_RENDERER_WEBGL)
  context.getExtension('WEBGL_lose_context')?.loseContext()
  const isSoftware = typeof name === 'string' && /swiftshader|llvmpipe|software/i.test(name)
  return isSoftware ? PROCESSOR : CARD
}
