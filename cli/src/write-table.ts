import type { Terminal } from './terminal.ts'

/** Writes rows of cells to standard output, in aligned columns. */
export function writeTable({ out }: Pick<Terminal, 'out'>, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of rows) {
    const line = row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
    out(`${line.trimEnd()}\n`)
  }
}
