import pc from 'picocolors'

/** Output streams and capabilities of a command's terminal. */
export type Terminal = {
  /** Writes machine-readable output: stdout. */
  out(text: string): void
  /** Writes messages for people: stderr. */
  err(text: string): void
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
  /** Settings of the command. */
  environment: NodeJS.ProcessEnv
  /** Reports requests to stop, as the process does. */
  signals: Signals
  /** The user's working folder; npm runs its scripts elsewhere. */
  folder: string
  /** Columns of stderr; infinite if it is not a terminal. */
  columns: number
  /** True if the user can be prompted. */
  isInteractive: boolean
  /** True if lines on stderr can be redrawn. */
  canRedraw: boolean
  /** For stderr; without effect if colours are disabled. */
  colors: ReturnType<typeof pc.createColors>
}

export type Signals = {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  off(signal: NodeJS.Signals, listener: () => void): unknown
}

type Around = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'> & Signals

export function openTerminal(around: Around): Terminal {
  const { stdin, stdout, stderr, env, cwd } = around
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    stdin,
    stderr,
    environment: env,
    signals: around,
    folder: env['INIT_CWD'] ?? cwd(),
    columns: stderr.columns || Infinity,
    isInteractive: stdin.isTTY && stderr.isTTY,
    canRedraw: stderr.isTTY,
    colors: pc.createColors(pc.isColorSupported && 'isTTY' in stderr && stderr.isTTY),
  }
}
