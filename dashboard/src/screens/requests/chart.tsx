import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import type { Charted } from './charted.ts'
import type { Plot } from './plot.ts'

type Props = {
  charted: Charted
  /** What happened in each period. Null: nothing. */
  marks: readonly (string | null)[]
  kind: 'bars' | 'lines'
  /** A short description of the chart. */
  title: string
  format: (value: number) => string
  formatAt: (at: number) => string
}

/** A chart with its legend, the values of one period, and all of them as a table. Arrow keys choose the period. */
export function Chart({ charted, marks, kind, title, format, formatAt }: Props) {
  const { at, lines } = charted
  const [chosen, setChosen] = useState<{ index: number; left: number } | null>(null)
  const { place, plot, error } = usePlot({ charted, marks, kind, format, formatAt, onChoose: setChosen })
  const last = at.length - 1
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    plot.current?.select(Math.max(0, Math.min(last, (chosen?.index ?? last) + step)))
  }
  const textAt = (index: number) =>
    `${formatAt(at[index] ?? 0)}: ${lines.map((line) => `${valueText(line.values[index], format)} ${line.title}`).join(', ')}${marks[index] ? `. ${sentence(marks[index])}` : ''}`
  if (error) return <Problem error={error} />
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <span class="lg">
          {lines.map((line, index) => (
            <span key={line.title} class={line.isBad ? 'c' : `s${index}`}>
              {line.title}
            </span>
          ))}
        </span>
      </figcaption>
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={chosen?.index ?? Math.max(0, last)}
        aria-valuetext={textAt(chosen?.index ?? last)}
        onKeyDown={move}
        onBlur={() => setChosen(null)}
      >
        <div ref={place} />
        {chosen && (
          <p class="tip" style={{ left: `${chosen.left}px` }} data-side={chosen.index > last / 2 ? 'left' : 'right'}>
            {textAt(chosen.index)}
          </p>
        )}
      </div>
      <Numbers charted={charted} marks={marks} format={format} formatAt={formatAt} />
    </figure>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  Home: -Infinity,
  End: Infinity,
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const valueText = (value: number | null | undefined, format: Props['format']): string =>
  value === null || value === undefined ? 'no' : format(value)

type PlotProps = Omit<Props, 'title'> & { onChoose: (chosen: { index: number; left: number } | null) => void }

/** Draws with the library, which is loaded for it, and again when the colors of the page change. */
function usePlot({ charted, marks, kind, format, formatAt, onChoose }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const colors = useColors()
  const shown = JSON.stringify([charted, marks, kind])
  useEffect(() => {
    let isCurrent = true
    const draw = async () => {
      const { createPlot } = await import('./plot.ts')
      const { current } = place
      if (!isCurrent || !current) return
      const onCursor = (index: number | null, left: number) => onChoose(index === null ? null : { index, left })
      plot.current = createPlot(current, { charted, marks, kind, format, formatAt, onCursor })
    }
    draw().catch(() => isCurrent && setError(new Error('The chart could not be loaded. Load the page again.')))
    return () => {
      isCurrent = false
      plot.current?.[Symbol.dispose]()
      plot.current = null
    }
    // The functions belong to the kind.
  }, [shown, colors])
  return { place, plot, error }
}

/** Changes when the page becomes light or dark. */
function useColors(): string {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const read = () => `${document.documentElement.dataset['theme'] ?? ''} ${dark.matches}`
  const [colors, setColors] = useState(read)
  useEffect(() => {
    const update = () => setColors(read())
    dark.addEventListener('change', update)
    const observer = new MutationObserver(update)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      dark.removeEventListener('change', update)
      observer.disconnect()
    }
  }, [])
  return colors
}

/** The periods with values as a table, newest first. */
function Numbers({
  charted: { at, lines, interval },
  marks,
  format,
  formatAt,
}: Pick<Props, 'charted' | 'marks' | 'format' | 'formatAt'>) {
  const rows = at
    .map((time, index) => ({ time, mark: marks[index], values: lines.map(({ values }) => values[index] ?? null) }))
    .filter(({ values, mark }) => mark || values.some((value) => value !== null && value !== 0))
    .toReversed()
  return (
    <details class="small">
      <summary>Show the numbers</summary>
      <Table columns={[interval === 'day' ? 'Day (UTC)' : 'Hour', ...lines.map(({ title }) => ({ right: title }))]}>
        {rows.map(({ time, mark, values }) => (
          <tr key={time}>
            <th scope="row">
              {formatAt(time)}
              {mark && <div class="small mute">{mark}</div>}
            </th>
            {values.map((value, index) => (
              <td key={lines[index]?.title} class="r" data-label={lines[index]?.title}>
                {value === null ? '–' : format(value)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  )
}
