import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import { isUploadUrl, uploadName } from '#lib/addresses/upload-url.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import { ToolError } from '#mcp/definition/tool-error.ts'

/** Finds a source by its id, label or address, or by the name of an upload. Throws a `ToolError` that lists the choices. */
export function namedSource({ sources }: Pick<ServedServer, 'sources'>, asked: string): ServedSource {
  const wanted = plain(asked)
  const found =
    sources.find(
      ({ id, label, url }) => id === asked || plain(url) === wanted || (label !== null && plain(label) === wanted),
    ) ?? sources.find(({ url }) => isUploadUrl(url) && uploadName(url) === wanted)
  if (found) return found
  const choices = sourceNames({ sources })
  const known = choices.length > 0 ? `The sources are: ${choices.join(', ')}.` : 'This server has no sources yet.'
  throw new ToolError('arguments', `There is no source "${oneLine(asked)}". ${known} search_docs searches all of them.`)
}

/** Labels or addresses of the sources, at most 20. */
export function sourceNames({ sources }: Pick<ServedServer, 'sources'>): string[] {
  return sources.slice(0, 20).map(({ label, url }) => oneLine(label ?? url))
}

/** The source with this address. */
export function sourceAt({ sources }: Pick<ServedServer, 'sources'>, url: string): ServedSource | undefined {
  return sources.find((source) => isSourceAt(source, url))
}

/** True if the address is that of the whole source. */
export function isSourceAt(source: ServedSource, url: string): boolean {
  return plain(source.url) === plain(url)
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
