import { BUILT_IN_TOOLS, DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS } from '@docent/contract/tools'
import { DocentError } from '#errors.ts'

const builtIn = BUILT_IN_TOOLS.map(({ name }): string => name)

/**
 * The tools of a new server: names that exist, each once, in the order given. Throws `400 tool_count` for too few that
 * are given and too many that exist, and `too_few_valid_tools` for too few that exist.
 */
export function selectTools(given: readonly string[] | undefined, customIds: readonly string[]): string[] {
  if (!given) return [...DEFAULT_TOOLS]
  if (given.length < MIN_TOOLS) throw new DocentError('tool_count')
  const known = new Set([...builtIn, ...customIds.map((id) => `custom:${id}`)])
  const valid = [...new Set(given)].filter((name) => known.has(name))
  if (valid.length > MAX_TOOLS) throw new DocentError('tool_count')
  if (valid.length < MIN_TOOLS) throw new DocentError('too_few_valid_tools')
  return valid
}
