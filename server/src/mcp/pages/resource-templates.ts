import { isUploadUrl } from '#lib/addresses/page-address.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import { RawJson } from '../protocol/message.ts'
import { PAGE_TYPE } from './resource-type.ts'

/** Maximum templates of a server: enough for its sources, except on servers that are catalogues of sources. */
const LISTED = 100

/** The addresses of the pages of each source, in the format of `resources/templates/list`. */
export function resourceTemplates({ sources }: Pick<ServedServer, 'sources'>): RawJson {
  const templates = new Map(
    sources.map(({ url, label }) => {
      const uriTemplate = `${folderOf(url)}{+path}`
      const name = `Pages of ${oneLine(label ?? url)}`
      return [uriTemplate, { uriTemplate, name, title: name, description: DESCRIPTION, mimeType: PAGE_TYPE }] as const
    }),
  )
  return new RawJson(JSON.stringify([...templates.values()].slice(0, LISTED)))
}

const DESCRIPTION =
  'An indexed page by its address, as Markdown. With a fragment, as in citations, only that section. Only indexed pages can be read.'

/** The address below which the pages of a source usually are. Braces would be part of the template. */
function folderOf(url: string): string {
  const [plain = ''] = url.split(/[?#]/, 1)
  const address = plain.replaceAll('{', '%7B').replaceAll('}', '%7D')
  if (isUploadUrl(url)) return address.endsWith('/') ? address : `${address}/`
  const { pathname } = new URL(address)
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (last === '') return address
  return last.includes('.') ? address.slice(0, -last.length) : `${address}/`
}
