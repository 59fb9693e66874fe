import type uPlot from 'uplot'

const FONT_PX = 12
const GAP_PX = 5

type Drawn = {
  /** By period. Null: nothing to mark. */
  marks: readonly (string | null)[]
  /** Begins of the periods on the lower axis. */
  begins: readonly number[]
  color: string
  fontFamily: string
}

/** A dashed line at the begin of each period with a mark, and its text if there is room for it. */
export function drawMarks({ ctx, bbox, valToPos }: uPlot, { marks, begins, color, fontFamily }: Drawn): void {
  const right = bbox.left + bbox.width
  const gap = GAP_PX * devicePixelRatio
  let free = bbox.left
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = color
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.font = `${FONT_PX * devicePixelRatio}px ${fontFamily}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  marks.forEach((text, index) => {
    const begin = begins[index]
    if (text === null || begin === undefined) return
    const x = Math.round(valToPos(begin, 'x', true))
    ctx.beginPath()
    ctx.moveTo(x, bbox.top - FONT_PX * devicePixelRatio)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const { width } = ctx.measureText(text)
    // After its line, or before it at the right edge.
    const from = x + gap + width > right ? x - gap - width : x + gap
    if (from < free) return
    ctx.fillText(text, from, bbox.top - 3 * devicePixelRatio)
    free = from + width + gap
  })
  ctx.restore()
}
