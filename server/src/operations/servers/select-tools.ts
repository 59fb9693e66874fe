import { DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS } from '@docent/contract/tools'
import { DocentError } from '#errors.ts'
import type { SelectableTools } from '../tools/selectable-tools.ts'

/**
 * The tools of a new server: names that exist, each once, in the order given. Throws `400 tool_count` for too few that
 * are given and too many that exist, and `too_few_valid_tools` for too few that exist.
 */
export function selectTools(
  given: readonly string[] | undefined,
  { valid: names, whyNotReady }: SelectableTools,
): string[] {
  if (!given) return [...DEFAULT_TOOLS]
  if (given.length < MIN_TOOLS) throw new DocentError('tool_count')
  const known = new Set(names)
  const valid = [...new Set(given)].filter((name) => known.has(name))
  if (valid.length > MAX_TOOLS) throw new DocentError('tool_count')
  if (valid.length < MIN_TOOLS) throw refuseTooFew(whyNotReady(given))
  return valid
}

const refuseTooFew = (message: string | null): DocentError =>
  new DocentError('too_few_valid_tools', message === null ? {} : { fields: { message } })
