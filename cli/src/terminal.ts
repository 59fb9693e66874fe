import pc from 'picocolors'

/** Where a command writes, and what it may do there. */
export type Terminal = {
  /** What a script would read: stdout. */
  out(text: string): void
  /** What is for people: stderr. */
  err(text: string): void
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
  /** Where the person is who names paths; npm runs its scripts elsewhere. */
  folder: string
  /** Characters in a line of stderr; without end where it is no terminal. */
  columns: number
  /** Whether somebody can be asked something. */
  isInteractive: boolean
  /** Whether lines on stderr can be drawn again. */
  canRedraw: boolean
  /** For stderr; without effect where colours are not wanted. */
  colors: ReturnType<typeof pc.createColors>
}

type Around = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>

export function openTerminal({ stdin, stdout, stderr, env, cwd }: Around): Terminal {
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    stdin,
    stderr,
    folder: env['INIT_CWD'] ?? cwd(),
    columns: stderr.columns || Infinity,
    isInteractive: stdin.isTTY && stderr.isTTY,
    canRedraw: stderr.isTTY,
    colors: pc.createColors(pc.isColorSupported && stderr.isTTY),
  }
}
