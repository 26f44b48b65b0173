/** The trajectory of a session in the picture: orbits, forecast, preview and marks. */
import { effect } from '@preact/signals'
import type { Game } from '../game/game.ts'
import { MarkLayer } from '../lines/mark-layer.ts'
import { OrbitLayer } from '../lines/orbit-layer.ts'
import { FORECAST_STYLE, PREVIEW_STYLE, TrajectoryLayer } from '../lines/trajectory-layer.ts'
import type { Stage } from '../view/stage.ts'
import { TrajectoryMarks } from '../labels/trajectory-marks.ts'

/** A forecast that the ship no longer follows. */
const STALE_OPACITY = 0.4

/** Returns how to take it all away. */
export function attachTrajectory(game: Game, stage: Stage): () => void {
  const own = new TrajectoryLayer(FORECAST_STYLE)
  const preview = new TrajectoryLayer(PREVIEW_STYLE)
  const marks = new TrajectoryMarks(game.forecasts)
  const layers = [
    new OrbitLayer(() => game.target.peek()),
    own,
    preview,
    new MarkLayer(() => marks.signs),
  ]
  const stops = [
    ...layers.map((layer) => stage.addLayer(layer)),
    stage.addLabels(marks),
    stage.onFrame((frame) => marks.place(frame)),
    effect(() => {
      const { value } = game.forecasts.own
      own.show(value?.forecast, value?.isStale ? STALE_OPACITY : 1)
    }),
    effect(() => preview.show(game.preview.shown.value?.forecast)),
  ]
  return () => {
    for (const stop of stops) stop()
    for (const layer of layers) layer.dispose()
  }
}
