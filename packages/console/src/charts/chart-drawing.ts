/** A chart of the library, in the page's colours and as wide as its place. */
import './valid-language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type Past, SPAN_SECONDS } from '../operator/history.ts'
import type { ChartSpec } from './chart-specs.ts'

const HEIGHT = 132

export interface ChartDrawing {
  /** Shows what is known of the last so many seconds. */
  show(past: Past, seconds: number): void
  close(): void
}

export function drawChart(place: HTMLElement, { columns, factor, unit }: ChartSpec): ChartDrawing {
  const colour = (name: string) => (): string =>
    getComputedStyle(place).getPropertyValue(name).trim()
  const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 } }
  const ticks = { show: false }
  let span = spanTo(Date.now() / 1000, SPAN_SECONDS.hour)
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      scales: {
        x: { range: () => span },
        y: { range: (_, low, high) => rangeWithZero(low, high) },
      },
      axes: [
        {
          ...axis,
          ticks,
          size: 28,
          grid: { show: false },
          values: (_, splits) => splits.map(timeText),
        },
        { ...axis, ticks, size: 64, values: (_, splits) => splits.map(labelText) },
      ],
      series: [
        {},
        ...columns.map((_, i) => ({
          stroke: colour(i === 0 ? '--accent' : '--second'),
          width: 1.5,
        })),
      ],
    },
    [[]],
    place,
  )
  const watcher = new ResizeObserver(() =>
    chart.setSize({ width: place.clientWidth, height: HEIGHT }),
  )
  watcher.observe(place)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const redraw = (): void => chart.redraw()
  scheme.addEventListener('change', redraw)
  return {
    show: (past, seconds) => {
      span = spanTo(past.times.at(-1) ?? Date.now() / 1000, seconds)
      const values = columns.map((name) => past.columns[name].map((value) => value * factor))
      chart.setData([[...past.times], ...values])
      place.setAttribute('role', 'img')
      place.setAttribute('aria-label', summary(values[0] ?? [], unit))
    },
    close: () => {
      scheme.removeEventListener('change', redraw)
      watcher.disconnect()
      chart.destroy()
    },
  }
}

function spanTo(end: number, seconds: number): [number, number] {
  return [end - seconds, end]
}

/** From zero on, so that a line that is nearly flat looks flat. */
function rangeWithZero(low: number, high: number): [number, number] {
  const from = Math.min(0, low)
  const to = Math.max(0, high)
  const room = (to - from) * 0.08 || 1
  return [from < 0 ? from - room : 0, to > 0 ? to + room : from < 0 ? 0 : room]
}

/** Hour and minute of a moment [s], UTC. */
function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16)
}

function labelText(value: number): string {
  const size = Math.abs(value)
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(0) : String(value)
}

/** What a chart shows, for those who do not see it. */
function summary(values: readonly number[], unit: string): string {
  if (values.length === 0) return 'no values yet'
  const text = (value: number): string => `${Number(value.toPrecision(3))} ${unit}`.trim()
  return `from ${text(Math.min(...values))} to ${text(Math.max(...values))}`
}
