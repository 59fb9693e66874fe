import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Charted, Line } from './charted.ts'
import { drawMarks } from './draw-marks.ts'

export type Plot = { select: (index: number) => void; [Symbol.dispose]: () => void }

type Options = {
  charted: Charted
  /** What happened in each period, drawn before its begin. */
  marks: readonly (string | null)[]
  kind: 'bars' | 'lines'
  /** Of a value, at its axis. */
  format: (value: number) => string
  /** Of a period, at its axis. */
  formatAt: (at: number) => string
  /** The period under the pointer, and its place from the left. Null: none. */
  onCursor: (index: number | null, left: number) => void
}

const HEIGHT = 236
const SECOND_MS = 1_000
/** Least space of a label at the lower axis, and half the width of its text. */
const LABEL_PX = 92
const HALF_LABEL_PX = 26

/** Draws a chart in an element, as wide as it is. Stacked bars, or lines. */
export function createPlot(place: HTMLElement, options: Options): Plot {
  const { charted, marks, kind, onCursor } = options
  const paint = readPaint(place, charted.lines)
  const step = charted.interval === 'day' ? 86_400 : 3_600
  const seconds = charted.at.map((at) => at / SECOND_MS)
  // A bar is centred on its period.
  const begins = seconds.map((at) => at - step / 2)
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      // Days begin in UTC, and so do their labels. Hours have the time of the browser.
      tzDate: (at) => {
        const date = new Date(at * SECOND_MS)
        return charted.interval === 'hour' ? date : uPlot.tzDate(date, 'Etc/UTC')
      },
      padding: [marks.some(Boolean) ? 24 : 10, () => edge(place.clientWidth, charted.at.length), 0, 0],
      cursor: { y: false, points: { show: kind === 'lines' }, drag: { x: true, y: false } },
      scales: {
        x: { time: true, range: (_, min, max) => [min - step / 2, max + step / 2] },
        y: { range: (_, __, max) => [0, Math.max(kind === 'bars' ? 2 : 1, (max ?? 0) * 1.06)] },
      },
      series: [{}, ...seriesOf(charted.lines, kind, paint)],
      axes: axesOf(options, paint),
      hooks: {
        draw: [(self) => drawMarks(self, { marks, begins, color: paint.text, fontFamily: paint.family })],
        setCursor: [({ cursor: { idx, left } }) => onCursor(idx ?? null, left ?? 0)],
      },
    },
    [seconds, ...(kind === 'bars' ? stacked(charted.lines) : charted.lines.map(({ values }) => values))],
    place,
  )
  const select = (index: number | null | undefined) => {
    const at = seconds[index ?? -1]
    if (at !== undefined) plot.setCursor({ left: plot.valToPos(at, 'x'), top: 0 })
  }
  const observer = new ResizeObserver(() => {
    const { idx } = plot.cursor
    plot.setSize({ width: place.clientWidth, height: HEIGHT })
    // The text of the selected period moves along.
    select(idx)
  })
  observer.observe(place)
  return {
    select,
    [Symbol.dispose]() {
      observer.disconnect()
      plot.destroy()
    },
  }
}

/** Space at the right edge, so that the label below the last bar has room. */
const edge = (width: number, periods: number): number => Math.max(4, HALF_LABEL_PX - width / periods / 2)

/** Stacked lines, the total first, so that the partial sums are drawn over it. */
function stacked(lines: readonly Line[]): number[][] {
  const sums: number[][] = []
  for (const { values } of lines) {
    const below = sums.at(-1)
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)))
  }
  return sums.toReversed()
}

type Paint = { lines: (string | CanvasPattern)[]; text: string; rule: string; font: string; family: string }

/** The colors of the page. A canvas does not know its variables. */
function readPaint(place: HTMLElement, lines: readonly Line[]): Paint {
  const probe = document.createElement('i')
  place.append(probe)
  const colorOf = (variable: string): string => {
    probe.style.color = `var(${variable})`
    return getComputedStyle(probe).color
  }
  const tints = lines.map(({ isBad }, index) =>
    isBad ? hatch(colorOf('--bad'), colorOf('--surface')) : colorOf(`--s${index}`),
  )
  const { fontFamily } = getComputedStyle(place)
  const paint = {
    lines: tints,
    text: colorOf('--ink-3'),
    rule: colorOf('--rule'),
    font: `13px ${fontFamily}`,
    family: fontFamily,
  }
  probe.remove()
  return paint
}

function hatch(ink: string, ground: string): string | CanvasPattern {
  const size = 6 * devicePixelRatio
  const tile = document.createElement('canvas')
  tile.width = tile.height = size
  const context = tile.getContext('2d')
  if (!context) return ink
  context.fillStyle = ground
  context.fillRect(0, 0, size, size)
  context.strokeStyle = ink
  context.lineWidth = size / 3
  // Three strokes, so that the tiles join.
  for (const shift of [-size, 0, size]) {
    context.moveTo(shift, size)
    context.lineTo(shift + size, 0)
  }
  context.stroke()
  return context.createPattern(tile, 'repeat') ?? ink
}

function seriesOf(lines: readonly Line[], kind: Options['kind'], paint: Paint): uPlot.Series[] {
  if (kind === 'lines') {
    return lines.map(({ title }, index) => ({
      label: title,
      stroke: () => paint.lines[index] ?? paint.text,
      width: 2,
      spanGaps: true,
      points: { show: lines[0] !== undefined && lines[0].values.length < 60, size: 6 },
    }))
  }
  const paths = uPlot.paths.bars?.({ size: [0.66, 34] })
  return lines
    .map(({ title }, index) => ({
      label: title,
      fill: () => paint.lines[index] ?? paint.text,
      width: 0,
      ...(paths ? { paths } : {}),
      points: { show: false },
    }))
    .toReversed()
}

function axesOf({ format, formatAt, kind }: Options, { text, rule, font }: Paint): uPlot.Axis[] {
  const common = { stroke: text, font, ticks: { show: false } }
  return [
    {
      ...common,
      grid: { show: false },
      space: LABEL_PX,
      gap: 8,
      size: 34,
      values: (_, splits) => splits.map((at) => formatAt(at * SECOND_MS)),
    },
    {
      ...common,
      grid: { stroke: rule, width: 1 },
      space: 46,
      gap: 8,
      size: 58,
      // Whole requests only.
      ...(kind === 'bars' ? { incrs: WHOLE } : {}),
      values: (_, splits) => splits.map((value) => format(value)),
    },
  ]
}

/** 1, 2 and 5 times the powers of ten. */
const WHOLE = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat()
