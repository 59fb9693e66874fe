/** `#/guide` and `#!/guide`, the forms of applications with hash routing. */
const ROUTE = /^#!?\/[^?#]+(?:\?[^#]*)?/
/** Docsify's parameter for a section, last in the route, because the fragment is taken. */
const SECTION = '?id='
/** Fragments of API descriptions look like routes (RFC 6901). This query parameter identifies their addresses. */
const POINTED_AT = /[?&]docent-[a-z]+=/

/** The hash route of a fragment, without its section part. Empty for any other fragment. */
export function hashRoute(fragment: string): string {
  const route = ROUTE.exec(fragment)?.[0] ?? ''
  const section = route.indexOf(SECTION, route.lastIndexOf('&') + 1)
  return section < 0 ? route : route.slice(0, section)
}

/** The page address of a cited section. */
export function withoutSection(url: string): string {
  const at = url.indexOf('#')
  if (at < 0) return url
  const page = url.slice(0, at)
  return POINTED_AT.test(page) ? page : page + hashRoute(url.slice(at))
}

/** Characters that a fragment cannot have (WHATWG URL, fragment percent-encode set). An id can have any. */
// eslint-disable-next-line no-control-regex -- the set has control characters
const UNFIT = /[\u0000-\u0020"<>`\u007f]/g

/** The address of a section of a page. */
export function sectionAddress(page: string, anchor: string | null): string {
  if (anchor === null || anchor === '') return page
  const fragment = anchor.replace(UNFIT, encodeURIComponent)
  const at = page.indexOf('#')
  if (at < 0) return `${page}#${fragment}`
  return `${page}${page.includes('?', at) ? '&' : '?'}id=${fragment}`
}

/** Query parameter that names a repository file if the page URLs of its host are unknown. */
const FILE = '?docent-file='

/** Address of a repository file at `base`, for hosts with unknown page URLs. `ref` is a branch or tag beside the main one. */
export const fileAddress = (base: string, file: string, ref: string | null = null): string =>
  base + FILE + file + (ref === null ? '' : `&h=${encodeURIComponent(ref)}`)

/** Splits an address before the query parameter, always the last, with which cgit and `fileAddress` name a branch or tag. */
export function splitRef(url: string): [address: string, ref: string] {
  const at = Math.max(url.lastIndexOf('?h='), url.lastIndexOf('&h='))
  return at < 0 || /[&#]/.test(url.slice(at + 1)) ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

/** The path of a page's address without trailing slash and query, or that of a repository file. */
export function addressPath(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  if (from < 0) return '/'
  const whole = url.slice(from).split('#', 1)[0] ?? '/'
  const path = whole.split('?', 1)[0] ?? '/'
  const file = whole.startsWith(FILE, path.length) ? `/${whole.slice(path.length + FILE.length).split('&', 1)[0]}` : ''
  return path.length + file.length > 1 ? path.replace(/\/$/, '') + file : path
}

/** A part of an address without percent escapes. With a stray percent sign it stays as it is, as in browsers. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A key for http(s) addresses that differ in trailing slashes, default port, case of the host, or fragment. */
export function addressKey(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return address
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '/')
  if (url.pathname.length > 1 && url.pathname.endsWith('/')) url.pathname = url.pathname.slice(0, -1)
  url.hash = ''
  return url.href
}

const SCHEME = 'upload://'

/** The address of an uploaded file, or of the upload as a source. Nothing fetches this scheme. */
export function uploadUrl(name: string, path = ''): string {
  return `${SCHEME}${name}/${encodePath(path)}`
}

export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

export const isUploadUrl = (url: string): boolean => url.startsWith(SCHEME)

/** Splits the name of an upload and its version, which is empty without one: `handbook@2.1`. */
export function splitVersion(name: string): [name: string, version: string] {
  const [source = '', version = ''] = name.split('@', 2)
  return [source, version]
}

/** Extracts the name of an upload from its source address. */
export function uploadName(url: string): string {
  return url.slice(SCHEME.length).split('/', 1)[0] ?? ''
}

/** Status message of an announced upload that has not arrived. */
export const NOTHING_UPLOADED = 'Nothing has been uploaded yet.'
