import { BUILT_IN_TOOLS, DEFAULT_TOOLS } from '@docent/contract/tools'
import { DocentError } from '#errors.ts'

const builtIn: ReadonlySet<string> = new Set(BUILT_IN_TOOLS.map(({ name }) => name))

/** The tools of a new server: names that exist, each once, in the order given. */
export function selectTools(
  given: readonly string[] | undefined,
  { min, max }: { min: number; max: number },
): string[] {
  if (!given) return [...DEFAULT_TOOLS]
  const valid = [...new Set(given)].filter((name) => builtIn.has(name))
  if (valid.length > max) throw new DocentError('tool_count')
  if (valid.length < min) throw new DocentError('too_few_valid_tools')
  return valid
}
