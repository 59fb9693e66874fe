import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { DocentError } from '#errors.ts'

/** Throws `400 invalid_input` if tools are allowed for a source that is not an MCP server. */
export function refuseAllowedTools(type: SourceType, allowedTools: readonly string[]): void {
  if (sourceKind(type).hasTools || allowedTools.length === 0) return
  throw new DocentError('invalid_input', { text: 'allowedTools must be empty: only sources of type `mcp` have tools.' })
}
