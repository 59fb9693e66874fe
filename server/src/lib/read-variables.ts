import { readFileSync } from 'node:fs'
import type { z } from 'zod'

/** An invalid setting. The message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the variables of the schema, each from the environment or from the file in `<NAME>_FILE`. */
export function readVariables<S extends z.ZodObject>(environment: Environment, schema: S): z.output<S> {
  const raw = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, readVariable(environment, name)]))
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`)
  throw new ConfigError(`Settings that cannot be used. ${problems.join('. ')}`)
}

function readVariable(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`]
  if (!file) return environment[name] || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names a file that cannot be read: ${file}`, { cause })
  }
}
