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
