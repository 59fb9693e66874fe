import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { pathMatcherOf } from '#search/rank/page-filter.ts'

/**
 * Tests page paths by the glob of a rule. `*` also crosses slashes, case does not matter, and `/blog/*` includes
 * `/blog`. In a repository, a path can begin at any folder.
 */
export function ruleGlob(glob: string, type: SourceType): (path: string) => boolean {
  const lower = glob.toLowerCase()
  const matches = pathMatcherOf(sourceKind(type).isRepository && lower.startsWith('/') ? `*${lower}` : lower)
  return (path) => {
    const given = path.toLowerCase()
    return matches(given) || (lower.endsWith('/*') && matches(`${given}/`))
  }
}
