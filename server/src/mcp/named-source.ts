import type { ServedServer, ServedSource } from '#store/served.ts'
import { oneLine } from './frame.ts'
import { ToolError } from './tool-error.ts'

/** The source a caller means by its id, label or address; throws a `ToolError` that names the choices. */
export function namedSource({ sources }: Pick<ServedServer, 'sources'>, asked: string): ServedSource {
  const wanted = plain(asked)
  const found = sources.find(
    ({ id, label, url }) => id === asked || plain(url) === wanted || (label !== null && plain(label) === wanted),
  )
  if (found) return found
  const choices = sources.map(({ label, url }) => oneLine(label ?? url)).slice(0, 20)
  const known = choices.length > 0 ? `The sources are: ${choices.join(', ')}.` : 'This server has no sources yet.'
  throw new ToolError('arguments', `There is no source "${oneLine(asked)}". ${known} search_docs searches all of them.`)
}

/** The same as a filter of a search; of nothing asked for, all sources. */
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
