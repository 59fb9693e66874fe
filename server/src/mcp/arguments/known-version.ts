import type { Library, Scope } from '#library/library.ts'
import { isOfVersion } from '#search/catalogue/page-version.ts'
import { oneLine } from '#mcp/passages/frame.ts'

/** Maximum number of listed versions. */
const NAMED = 12

/**
 * The version to filter by, if page addresses contain versions. Callers also give versions to a source that has only
 * one and never mentions it. Then nothing is filtered, and a note says so.
 */
export async function knownVersion(
  library: Library,
  asked: string | undefined,
  scope: Scope,
): Promise<{ version: string | undefined; notes: string[] }> {
  if (asked === undefined) return { version: undefined, notes: [] }
  const versions = await library.versions(scope)
  if (versions.some((version) => isOfVersion(version, asked))) return { version: asked, notes: [] }
  const known = versions.slice(0, NAMED).map((version) => oneLine(version, 40))
  const said = known.length > 0 ? `Addresses name ${known.join(', ')}.` : 'Addresses of pages name no versions.'
  const isLatest = /^(?:latest|stable|current)$/i.test(asked)
  // Pages without a version belong to the latest.
  if (isLatest) return { version: known.length > 0 ? asked : undefined, notes: [] }
  return {
    version: undefined,
    notes: [`No page's address names version "${oneLine(asked, 60)}"; searched all versions. ${said}`],
  }
}
