export { latinKey } from './browser/latin-key.ts'
export { modalEnds } from './browser/modal-ends.ts'
export { followPixels } from './browser/pixels.ts'
export { followZoom } from './browser/zoom-gestures.ts'
export { BodyChain, type Place } from './space/body-chain.ts'
export { hoursOfInterest } from './space/forecast-span.ts'
export { type LabelCandidate, placedLabels } from './space/label-placement.ts'
export { NEAR_VERTICES, cutLine, turnedBy } from './space/line-ahead.ts'
export {
  OBJECT_VERTEX,
  ORBIT_VERTICES,
  type OrbitState,
  orbitVertices,
} from './space/orbit-line.ts'
export { type Osculating, osculating } from './space/osculating.ts'
export {
  LINE_VERTICES_MAX,
  type TrajectoryLine,
  createLine,
  sampledLine,
} from './space/trajectory-line.ts'
export {
  type Vector,
  addScaled,
  angleBetween,
  cross,
  dot,
  fill,
  length,
  normalize,
  rotate,
  vector,
} from './space/vector.ts'
