import { DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS } from '@docent/contract/tools'
import { DocentError } from '#errors.ts'
import type { SelectableTools } from '../tools/selectable-tools.ts'

/**
 * The tools of a new server: existing names without duplicates, in order. Throws `400 tool_count` for too few given or
 * too many existing names, and `too_few_valid_tools` for too few existing ones.
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
