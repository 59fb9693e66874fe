import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { Library, Scope } from '#documents/library.ts'
import { oneLine } from '../passages/format-citation.ts'
import { knownVersion, namedSource } from '../arguments/named-source.ts'
import type { ToolContext } from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'
import { fillText, type Values } from './fill-template.ts'

/**
 * The context of a step that sees only the pages its filters allow. A filter that the server cannot have, such as a
 * source that it lacks, is dropped with a note: the same tool may be attached to several servers.
 */
export async function restrictContext(
  context: ToolContext,
  filters: PlanStep['filters'],
  values: Values,
): Promise<{ context: ToolContext; notes: string[] }> {
  const scope: Scope = {}
  const notes: string[] = []
  const source = fillText(filters?.source, values)
  if (source !== undefined) {
    const found = sourceOrNull(context, source)
    if (found === null) notes.push(`This server has no source "${oneLine(source)}"; all sources were used.`)
    else scope.sourceId = found
  }
  if (filters?.type !== undefined) scope.type = filters.type
  const path = fillText(filters?.path, values)
  if (path !== undefined) scope.path = path
  const version = await knownVersion(context.library, fillText(filters?.version, values), scope)
  if (version.version !== undefined) scope.version = version.version
  const server = { ...context.server, sources: context.server.sources.map((each) => ({ ...each, allowedTools: [] })) }
  return {
    // Remote tools that may change something are for callers who name them, not for plans.
    context: { ...context, server, ...(Object.keys(scope).length > 0 ? restricted(context, scope) : {}) },
    notes: [...notes, ...version.notes],
  }
}

function sourceOrNull({ server }: ToolContext, asked: string): string | null {
  try {
    return namedSource(server, asked).id
  } catch (error) {
    if (error instanceof ToolError) return null
    throw error
  }
}

function restricted({ search, library }: ToolContext, scope: Scope): Pick<ToolContext, 'search' | 'library'> {
  const within = (asked: Scope = {}): Scope => ({ ...asked, ...scope })
  const seen: Library = {
    has: (kinds, asked) => library.has(kinds, within(asked)),
    pagesOf: (kinds, asked) => library.pagesOf(kinds, within(asked)),
    named: (name, asked) => library.named(name, within(asked)),
    members: (name, asked) => library.members(name, within(asked)),
    pageAt: (url, asked) => library.pageAt(url, within(asked)),
    all: (asked) => library.all(within(asked)),
    outline: (sourceId) => library.outline(sourceId),
    versions: (asked) => library.versions(within(asked)),
    open: (pages) => library.open(pages),
  }
  return { search: (request, signal) => search({ ...request, ...scope }, signal), library: seen }
}
