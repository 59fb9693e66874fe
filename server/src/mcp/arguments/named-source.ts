import { type BuiltInToolName, kindsFor } from '@docent/contract/values/tools'
import { z } from 'zod'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import { isUploadUrl, uploadName } from '#lib/addresses/page-address.ts'
import { maskAddress } from '#lib/addresses/secret-address.ts'
import type { Library, Scope } from '#documents/library.ts'
import { isOfVersion } from '#search/catalogue/page-version.ts'
import { oneLine } from '../passages/format-citation.ts'
import { ToolError, indexingNotes } from '../definition/tool-result.ts'
import type { ToolAnswer, ToolContext } from '../definition/tool.ts'

/** Finds a source by its id, label or address, or by the name of an upload. */
export function findSource({ sources }: Pick<ServedServer, 'sources'>, asked: string): ServedSource | undefined {
  const wanted = plain(maskAddress(asked))
  return (
    sources.find(
      ({ id, label, url }) => id === asked || plain(url) === wanted || (label !== null && plain(label) === wanted),
    ) ?? sources.find(({ url }) => isUploadUrl(url) && uploadName(url) === wanted)
  )
}

/** The same. Throws a `ToolError` that lists the choices. */
export function namedSource(server: Pick<ServedServer, 'sources'>, asked: string): ServedSource {
  const found = findSource(server, asked)
  if (found) return found
  const choices = sourceNames(server)
  const known = choices.length > 0 ? `The sources are: ${choices.join(', ')}.` : 'This server has no sources yet.'
  throw new ToolError(
    'arguments',
    `There is no source "${oneLine(maskAddress(asked))}". ${known} search_docs searches all of them.`,
  )
}

/** Labels or addresses of the sources, at most 20. */
export function sourceNames({ sources }: Pick<ServedServer, 'sources'>): string[] {
  return sources.slice(0, 20).map(({ label, url }) => oneLine(label ?? url))
}

export function isSourceAt(source: ServedSource, url: string): boolean {
  return plain(source.url) === plain(maskAddress(url))
}

/** The source as a search filter. Undefined selects all sources. */
export function sourceScope(server: Pick<ServedServer, 'sources'>, asked: string | undefined): { sourceId?: string } {
  return asked === undefined ? {} : { sourceId: namedSource(server, asked).id }
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/(?<!\/)\/+$/, '')
}

const NAMED = 12

/** The version to filter by. A source whose addresses name no versions is searched as a whole, with a note. */
export async function knownVersion(
  library: Library,
  asked: string | undefined,
  scope: Scope,
): Promise<{ version: string | undefined; notes: string[] }> {
  if (asked === undefined) return { version: undefined, notes: [] }
  if (/^(?:latest|stable|current)$/i.test(asked))
    return { version: (await library.latest(scope)) ?? undefined, notes: [] }
  const versions = await library.versions(scope)
  if (versions.some((version) => isOfVersion(version, asked))) return { version: asked, notes: [] }
  const known = versions.slice(0, NAMED).map((version) => oneLine(version, 40))
  const said = known.length > 0 ? `Addresses name ${known.join(', ')}.` : 'Addresses of pages name no versions.'
  return {
    version: undefined,
    notes: [`No page's address names version "${oneLine(asked, 60)}"; searched all versions. ${said}`],
  }
}

const missing = z.object({ what: z.string(), needs: z.array(z.string()), add: z.string() })

/** The `missing` member, for tools without a suitable source on some servers. */
export const missingOutput = missing.optional().describe('What no source of this server holds, and what to add')

/** Answer of a tool without a suitable source: what to add. `about` has the other members of the data. */
export function missingSource<D extends object>(
  { server }: Pick<ToolContext, 'server'>,
  tool: BuiltInToolName,
  { what, add, about }: { what: string; add: string; about: D },
): ToolAnswer<D & { results: []; missing: z.output<typeof missing> }> {
  return {
    text: '',
    notes: [`The sources of this server hold no ${what}. ${add}`, ...indexingNotes(server)],
    data: { ...about, results: [], missing: { what, needs: kindsFor(tool), add } },
    outcome: 'none',
  }
}
