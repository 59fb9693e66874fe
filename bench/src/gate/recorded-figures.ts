import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Figures = Readonly<Record<string, number>>

/** A change of a figure by more than this is a loss or a gain: about two of the gate's questions. */
const TOLERANCE = 0.01

const FILE = join(import.meta.dirname, 'recorded.json')

/** The figures of a part of the gate when they were last recorded. Empty for a part that never was. */
export function recordedFigures(part: string): Figures {
  return readRecorded()[part] ?? {}
}

/** Replaces the figures of a part. A reviewer sees the change of each in one line. */
export function recordFigures(part: string, figures: Figures): void {
  const rounded = Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4])
  const all = { ...readRecorded(), [part]: Object.fromEntries(rounded) as Figures }
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
}

/** Lists figures that fell, and those that rose, by more than the tolerance. */
export function compareFigures(recorded: Figures, measured: Figures): { fell: string[]; rose: string[] } {
  const changes = Object.entries(measured).map(([name, value]) => {
    // A figure without a record has risen from nothing.
    const before = recorded[name] ?? 0
    return { change: value - before, line: `${name}: ${before.toFixed(4)} recorded, ${value.toFixed(4)} measured` }
  })
  // The bound allows for the rounding of recorded figures.
  const bound = TOLERANCE + 1e-4
  return {
    fell: changes.filter(({ change }) => change < -bound).map(({ line }) => line),
    rose: changes.filter(({ change }) => change > bound).map(({ line }) => line),
  }
}

function readRecorded(): Record<string, Figures> {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Figures>
}
