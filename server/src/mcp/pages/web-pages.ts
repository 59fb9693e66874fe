import { isUploadUrl } from '#lib/addresses/page-address.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { ToolResult } from '../definition/tool.ts'

/** Pages over HTTP: `pagesAddress` + the address of a page without its scheme + `.md`. */
type WithPages = Pick<ServedServer, 'sources' | 'pagesAddress'>

/** Parameter that selects a part of a long page. */
const PART = /\?part=(\d{1,4})$/
const ENCODED = /%(?:2[236-9]|3[cef])/gi
const UPLOADS = 'uploads/'
const EXTENSION = '.md'

/** The path of a page below `pagesAddress`. Marks with a meaning in addresses, Markdown or XML are encoded. */
export function webPath(url: string): string {
  const [page = '', fragment] = isUploadUrl(url) ? url.split('#', 2) : [url]
  const path = page
    .replace(/^upload:\/\//, UPLOADS)
    .replace(/^https?:\/\//, '')
    .replace(/(?<!\/)\/+$/, '')
    .replaceAll(/[?#()<>"'&]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  const file = path.endsWith(EXTENSION) ? path : path + EXTENSION
  return fragment === undefined ? file : `${file}#${fragment}`
}

/** The addresses that a web address of a page can stand for, and its part. Null for other addresses. */
export function readWebAddress(address: string, { pagesAddress }: Pick<WithPages, 'pagesAddress'>) {
  if (pagesAddress === undefined || !address.startsWith(pagesAddress)) return null
  const part = PART.exec(address)
  const [path = '', fragment] = address.slice(pagesAddress.length, part?.index).split('#', 2)
  const names = [path, path.replaceAll(ENCODED, decodeURIComponent)]
  const pages = names.flatMap((name) => [name, name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : name])
  const uploads = pages.flatMap((name) => (name.startsWith(UPLOADS) ? [`upload://${name.slice(UPLOADS.length)}`] : []))
  const urls = [...new Set([...uploads, ...pages])]
  return {
    urls: fragment === undefined ? urls : urls.map((url) => `${url}#${fragment}`),
    part: part ? Number(part[1]) : null,
  }
}

/** Lets the citations of uploaded files in a result lead to the pages of the server, because no site has them. */
export function openUploads(result: ToolResult, { sources, pagesAddress }: WithPages): ToolResult {
  const uploads = sources.flatMap(({ url }) => (isUploadUrl(url) ? [url] : []))
  if (pagesAddress === undefined || uploads.length === 0) return result
  const open = (url: string) => openAddress(url, { sources, pagesAddress })
  const content = result.content.map((block) => {
    if (typeof block['text'] !== 'string') return block
    return { ...block, text: block['text'].replaceAll(CITED, (_, url: string) => `Source: ${open(url)}`) }
  })
  const { structuredContent: data } = result
  return { ...result, content, ...(data ? { structuredContent: mapAddresses(data, open) } : {}) }
}

/** The address that opens a page: that of the site, or of the pages of the server for a file of an upload. */
export function openAddress(url: string, { sources, pagesAddress }: WithPages): string {
  const isFile = ({ url: source }: { url: string }) => url.startsWith(source) && url.length > source.length
  return pagesAddress !== undefined && isUploadUrl(url) && sources.some(isFile) ? pagesAddress + webPath(url) : url
}

/** Texts of sources cannot begin a line like this. */
const CITED = /^Source: (\S+)$/gm

/** Changes the members named `url` of a value. */
function mapAddresses<T>(value: T, change: (url: string) => string): T {
  if (Array.isArray(value)) return value.map((each: unknown) => mapAddresses(each, change)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return [name, name === 'url' && typeof member === 'string' ? change(member) : mapAddresses(member, change)]
  })
  return Object.fromEntries(entries) as T
}
