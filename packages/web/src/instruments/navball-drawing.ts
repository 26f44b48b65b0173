/** Draws a navball: the sky and the ground as seen along the nose, with marks of directions. */
import { say } from '../languages/say.ts'
import { MARKS, type Mark, type NavballModel } from '../space/navball-model.ts'
import { vector, type Vector } from '@orrery/page-kit'
import { MARK_SHAPES } from './mark-shapes.ts'

type Canvas = CanvasRenderingContext2D

const TURN = 2 * Math.PI
const DEGREE = Math.PI / 180

/** Of the ball, where the whole has the radius 1: around it is its case. */
const BALL = 0.86

/** Between two vertices of a line [degrees]. */
const STEP = 4

/** Bars of the ladder reach so far to each side of the nose [degrees]. */
const LADDER = { long: 12, short: 6, step: 5, reach: 30 }

const INK = '#f3f7ff'
const SYMBOL = '#ffb340'

const LINES = new Map<Mark, Path2D>()
const AREAS = new Map<Mark, Path2D>()

const point = vector()

/** A pitch and a heading [degrees]. */
interface BallPlace {
  readonly pitch: number
  readonly heading: number
}

/** Writes the direction of a place in axes of the hull. */
function directionAt(out: Vector, model: NavballModel, pitch: number, heading: number): Vector {
  const { up, north, east } = model
  const u = Math.sin(pitch * DEGREE)
  const n = Math.cos(pitch * DEGREE) * Math.cos(heading * DEGREE)
  const e = Math.cos(pitch * DEGREE) * Math.sin(heading * DEGREE)
  for (let k = 0; k < 3; k++) out[k] = u * up[k] + n * north[k] + e * east[k]
  return out
}

/** @param radius  of the whole in units of the canvas, whose origin is in its middle */
export function drawNavball(canvas: Canvas, model: NavballModel, radius: number): void {
  canvas.save()
  canvas.scale(radius, radius)
  canvas.clearRect(-1, -1, 2, 2)
  canvas.lineCap = 'round'
  canvas.lineJoin = 'round'
  canvas.save()
  canvas.beginPath()
  canvas.arc(0, 0, BALL, 0, TURN)
  canvas.clip()
  canvas.scale(BALL, BALL)
  drawHalves(canvas, model)
  drawGrid(canvas, model)
  drawLadder(canvas, model)
  drawHeadings(canvas, model)
  drawShade(canvas)
  canvas.restore()
  drawCase(canvas, model)
  canvas.scale(BALL, BALL)
  for (const mark of MARKS) drawMark(canvas, model, mark)
  drawShip(canvas)
  canvas.restore()
}

/** The sky above the horizon, the ground below. */
function drawHalves(canvas: Canvas, { up: [x, y, z] }: NavballModel): void {
  const size = Math.hypot(x, y)
  const [a, b] = size > 1e-6 ? [x / size, -y / size] : [0, -1]
  const blend = (from: number, to: number, colours: readonly string[]): CanvasGradient => {
    const gradient = canvas.createLinearGradient(from * a, from * b, to * a, to * b)
    for (const [i, colour] of colours.entries()) {
      gradient.addColorStop(i / (colours.length - 1), colour)
    }
    return gradient
  }
  canvas.fillStyle = blend(-z, -z - 1.1, ['#b98049', '#7a4d28', '#3d2514'])
  canvas.fillRect(-1, -1, 2, 2)
  canvas.beginPath()
  const along = Math.atan2(b, a)
  // The near half of the horizon, then the edge of the ball on the side of the sky.
  canvas.ellipse(0, 0, Math.max(Math.abs(z), 1e-6), 1, along, -Math.PI / 2, Math.PI / 2, z > 0)
  canvas.ellipse(0, 0, 1, 1, along, Math.PI / 2, -Math.PI / 2, true)
  canvas.fillStyle = blend(-z, -z + 1.1, ['#8fd0ff', '#3c86cf', '#12397a'])
  canvas.fill()
}

/** Circles of equal pitch and half circles of equal heading. */
function drawGrid(canvas: Canvas, model: NavballModel): void {
  canvas.beginPath()
  for (let pitch = -60; pitch <= 60; pitch += 30) {
    if (pitch !== 0) addParallel(canvas, model, { pitch, heading: 0 }, 180)
  }
  for (let heading = 0; heading < 360; heading += 45) addMeridian(canvas, model, heading)
  canvas.lineWidth = 0.008
  canvas.strokeStyle = '#ffffff66'
  canvas.stroke()
  canvas.beginPath()
  addParallel(canvas, model, { pitch: 0, heading: 0 }, 180)
  canvas.lineWidth = 0.022
  canvas.strokeStyle = INK
  canvas.stroke()
}

/** Adds what is near of the line of a pitch, so many degrees to both sides of a heading. */
function addParallel(
  canvas: Canvas,
  model: NavballModel,
  { pitch, heading }: BallPlace,
  half: number,
): void {
  const count = Math.ceil((2 * half) / STEP)
  let isDrawn = false
  for (let i = 0; i <= count; i++) {
    directionAt(point, model, pitch, heading + half * ((2 * i) / count - 1))
    isDrawn = addVertex(canvas, isDrawn)
  }
}

function addMeridian(canvas: Canvas, model: NavballModel, heading: number): void {
  let isDrawn = false
  for (let pitch = -80; pitch <= 80; pitch += STEP) {
    directionAt(point, model, pitch, heading)
    isDrawn = addVertex(canvas, isDrawn)
  }
}

/** @returns whether the line can go on from here: only from the near half */
function addVertex(canvas: Canvas, isDrawn: boolean): boolean {
  if (point[2] <= 0) return false
  if (isDrawn) canvas.lineTo(point[0], -point[1])
  else canvas.moveTo(point[0], -point[1])
  return true
}

/** Bars of equal pitch at the heading of the nose. */
function drawLadder(canvas: Canvas, model: NavballModel): void {
  const { step, reach, long, short } = LADDER
  const nose = model.pitch / DEGREE
  const heading = model.heading / DEGREE
  const first = step * Math.ceil(Math.max(nose - reach, -85) / step)
  canvas.lineWidth = 0.013
  canvas.strokeStyle = INK
  for (let pitch = first; pitch <= Math.min(nose + reach, 85); pitch += step) {
    if (pitch === 0) continue
    const isNumbered = pitch % 10 === 0
    const widened = 1 / Math.cos(pitch * DEGREE)
    const half = (isNumbered ? long : short) * widened
    canvas.globalAlpha = isNumbered ? 0.95 : 0.6
    canvas.beginPath()
    addParallel(canvas, model, { pitch, heading }, half)
    canvas.stroke()
    if (!isNumbered || Math.abs(pitch) > 80) continue
    for (const side of [-1, 1]) {
      const place = { pitch, heading: heading + side * (half + 7 * widened) }
      drawText(canvas, model, String(Math.abs(pitch)), { ...place, size: 0.095 })
    }
  }
  canvas.globalAlpha = 1
}

const HEADINGS = [say('N'), '45', say('E'), '135', say('S'), '225', say('W'), '315']

function drawHeadings(canvas: Canvas, model: NavballModel): void {
  for (const [i, text] of HEADINGS.entries()) {
    const size = i % 2 === 0 ? 0.16 : 0.11
    drawText(canvas, model, text, { pitch: -6, heading: 45 * i, size })
  }
}

interface TextPlace extends BallPlace {
  /** height, of the ball's radius */
  readonly size: number
}

const east = vector()
const above = vector()

/** Paints a text on the ball, as foreshortened as that is. */
function drawText(canvas: Canvas, model: NavballModel, text: string, place: TextPlace): void {
  const { pitch, heading } = place
  directionAt(point, model, pitch, heading)
  if (point[2] < 0.12) return
  directionAt(east, model, 0, heading + 90)
  directionAt(above, model, pitch + 90, heading)
  canvas.save()
  canvas.transform(east[0], -east[1], -above[0], above[1], point[0], -point[1])
  canvas.scale(place.size / 10, place.size / 10)
  canvas.font = '600 10px system-ui, sans-serif'
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  canvas.lineWidth = 1.6
  canvas.strokeStyle = '#0008'
  canvas.strokeText(text, 0, 0)
  canvas.fillStyle = INK
  canvas.fillText(text, 0, 0)
  canvas.restore()
}

/** Light from the upper left, and darkness towards the edge: what makes it a ball. */
function drawShade(canvas: Canvas): void {
  const light = canvas.createRadialGradient(-0.35, -0.45, 0, -0.35, -0.45, 0.9)
  light.addColorStop(0, '#ffffff3d')
  light.addColorStop(1, '#ffffff00')
  canvas.fillStyle = light
  canvas.fillRect(-1, -1, 2, 2)
  const edge = canvas.createRadialGradient(0, 0, 0.55, 0, 0, 1)
  edge.addColorStop(0, '#02040a00')
  edge.addColorStop(0.6, '#02040a47')
  edge.addColorStop(1, '#02040ad9')
  canvas.fillStyle = edge
  canvas.fillRect(-1, -1, 2, 2)
}

/** Where the case has marks of roll [degrees]. */
const ROLLS = [-90, -60, -45, -30, -20, -10, 0, 10, 20, 30, 45, 60, 90]

/** The ring around the ball with its scale of roll, and on it the way up. */
function drawCase(canvas: Canvas, { up: [x, y] }: NavballModel): void {
  const metal = canvas.createLinearGradient(-0.7, -0.7, 0.7, 0.7)
  metal.addColorStop(0, '#4a566c')
  metal.addColorStop(0.5, '#161d2b')
  metal.addColorStop(1, '#2c374b')
  canvas.beginPath()
  canvas.arc(0, 0, (1 + BALL) / 2, 0, TURN)
  canvas.lineWidth = 1 - BALL - 0.01
  canvas.strokeStyle = metal
  canvas.stroke()
  canvas.lineWidth = 0.014
  for (const [radius, colour] of [
    [BALL, '#05080f'],
    [0.985, '#ffffff30'],
  ] as const) {
    canvas.beginPath()
    canvas.arc(0, 0, radius, 0, TURN)
    canvas.strokeStyle = colour
    canvas.stroke()
  }
  canvas.beginPath()
  for (const roll of ROLLS) {
    const [sine, cosine] = [Math.sin(roll * DEGREE), -Math.cos(roll * DEGREE)]
    const end = roll % 30 === 0 ? 0.965 : 0.93
    canvas.moveTo(0.885 * sine, 0.885 * cosine)
    canvas.lineTo(end * sine, end * cosine)
  }
  canvas.strokeStyle = '#c9d3e6'
  canvas.stroke()
  // Along the vertical there is no way up.
  if (Math.hypot(x, y) < 0.02) return
  canvas.save()
  canvas.rotate(Math.atan2(x, y))
  canvas.beginPath()
  canvas.moveTo(0, -0.84)
  canvas.lineTo(0.062, -0.965)
  canvas.lineTo(-0.062, -0.965)
  canvas.closePath()
  canvas.fillStyle = SYMBOL
  canvas.fill()
  canvas.strokeStyle = '#05080f'
  canvas.stroke()
  canvas.restore()
}

function drawMark(canvas: Canvas, { marks }: NavballModel, mark: Mark): void {
  const [x, y, z] = marks[mark]
  if (!(z > 0)) return
  const { lines, areas, colour } = MARK_SHAPES[mark]
  if (!LINES.has(mark)) {
    LINES.set(mark, new Path2D(lines))
    AREAS.set(mark, new Path2D(areas))
  }
  canvas.save()
  canvas.globalAlpha = Math.min(1, 5 * z)
  canvas.translate(x, -y)
  canvas.scale(0.125, 0.125)
  for (const [width, style] of [
    [0.46, '#05080fb0'],
    [0.2, colour],
  ] as const) {
    canvas.lineWidth = width
    canvas.strokeStyle = style
    canvas.stroke(LINES.get(mark)!)
  }
  canvas.fillStyle = colour
  canvas.fill(AREAS.get(mark)!)
  canvas.restore()
}

/** The ship itself, which stays in the middle: wings, with room for a mark between them. */
function drawShip(canvas: Canvas): void {
  canvas.beginPath()
  for (const side of [-1, 1]) {
    canvas.moveTo(0.46 * side, 0)
    canvas.lineTo(0.18 * side, 0)
    canvas.lineTo(0.18 * side, 0.08)
  }
  canvas.moveTo(-0.008, 0)
  canvas.lineTo(0.008, 0)
  for (const [width, colour] of [
    [0.072, '#05080fcc'],
    [0.04, SYMBOL],
  ] as const) {
    canvas.lineWidth = width
    canvas.strokeStyle = colour
    canvas.stroke()
  }
}
