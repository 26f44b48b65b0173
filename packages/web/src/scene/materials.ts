/** What all our shaders share. */
import {
  BufferAttribute,
  BufferGeometry,
  GLSL3,
  Mesh,
  RawShaderMaterial,
  type ShaderMaterialParameters,
} from 'three'

/** Two triangles; `corner` goes from -1 to 1. */
export const QUAD: BufferGeometry = new BufferGeometry()
  .setAttribute('corner', new BufferAttribute(Float32Array.of(-1, -1, 1, -1, 1, 1, -1, 1), 2))
  .setIndex([0, 1, 2, 0, 2, 3])

/** Colours are multiplied by their opacity: opacity 0 adds light. */
export function shaderMaterial(options: ShaderMaterialParameters): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    transparent: true,
    premultipliedAlpha: true,
    ...options,
  })
}

/** A quad that its shader places itself. */
export function quadMesh(material: RawShaderMaterial): Mesh<BufferGeometry, RawShaderMaterial> {
  const mesh = new Mesh(QUAD, material)
  mesh.frustumCulled = false
  mesh.matrixAutoUpdate = false
  return mesh
}
