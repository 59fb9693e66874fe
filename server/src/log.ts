import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

/** Structured logs on stderr, one JSON object per line. stdout is reserved for the ready line. */
/** `mixin` gives more members of a line. */
export function createLog(level: Config['logLevel'], mixin: () => object = () => ({})): Log {
  return pino(
    { level, base: null, mixin, redact: ['authorization', '*.authorization', '*.secret'] },
    pino.destination(2),
  )
}
