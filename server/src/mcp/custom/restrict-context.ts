import type { PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { Scope } from '#documents/library.ts'
import type { Within } from '#search/passage.ts'
import { pathMatcherOf } from '#search/rank/page-filter.ts'
import { isOfVersion } from '#search/catalogue/page-version.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { ToolContext } from '../definition/tool.ts'
import { oneLine } from '../passages/format-citation.ts'
import { findSource } from '../arguments/named-source.ts'
import { within } from '../arguments/within.ts'

/** A context that sees only the pages that a step allows, or why there are none, as a sentence. */
export type Restricted = { context: ToolContext } | { missing: string }

/** Filters of a step, with the values of its templates. */
type Filters = NonNullable<PlanStep['filters']>

/**
 * Restricts a context to the pages that a step allows. A restriction is never dropped: on a server that lacks what the
 * plan asks for, the step finds nothing and says why.
 */
export async function restrictContext(context: ToolContext, filters: Filters): Promise<Restricted> {
  const { server } = context
  const scope: Scope = {}
  const { source, type, path, version, anyOf = [], not = [] } = filters
  if (source !== undefined) {
    const found = findSource(server, source)
    if (!found) return { missing: `This server has no source "${oneLine(source)}", from which alone the tool answers.` }
    scope.sourceId = found.id
  }
  if (type !== undefined) scope.type = type
  if (path !== undefined) scope.path = path
  if (version !== undefined) {
    const versions = await context.library.versions(scope)
    // Pages without a version belong to the latest.
    const isLatest = /^(?:latest|stable|current)$/i.test(version)
    if (versions.some((each) => isOfVersion(each, version))) scope.version = version
    else if (!isLatest) return { missing: `No page says that it is for version "${oneLine(version, 60)}".` }
  }
  const [allowed, excluded] = [anyOf, not].map((places) => places.flatMap((place) => placeTest(place, server) ?? []))
  if (anyOf.length > 0 && allowed?.length === 0)
    return { missing: 'This server has none of the sources from which alone the tool answers.' }
  if (anyOf.length + not.length > 0)
    scope.within = (id, at) =>
      (anyOf.length === 0 || allowed?.some((test) => test(id, at)) === true) &&
      excluded?.some((test) => test(id, at)) !== true
  // Remote tools that may change something are for callers who name them, not for plans.
  const own = { ...server, sources: server.sources.map((each) => ({ ...each, allowedTools: [] })) }
  return { context: { ...context, server: own, ...(Object.keys(scope).length > 0 ? within(context, scope) : {}) } }
}

/** Tests if a page is in a place. Null if the server has no such source. */
function placeTest({ source, type, path }: PlanPlace, server: Pick<ServedServer, 'sources'>): Within | null {
  const found = source === undefined ? undefined : findSource(server, source)
  if (source !== undefined && found === undefined) return null
  const types = new Map(server.sources.map((each) => [each.id, each.type]))
  const matches = path === undefined ? null : pathMatcherOf(path)
  // Paths of a repository begin with its owner and name.
  const inside = path?.startsWith('/') ? pathMatcherOf(`*${path}`.replace(/(?<![*])$/, '*')) : matches
  return (sourceId, at) => {
    const own = types.get(sourceId)
    if ((found && found.id !== sourceId) || (type !== undefined && own !== type)) return false
    if (matches === null) return true
    return matches(at) || (own !== undefined && sourceKind(own).isRepository && inside?.(at) === true)
  }
}
