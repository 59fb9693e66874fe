/** `#/guide` and `#!/guide`, as applications that keep their routes in the fragment write them. */
const ROUTE = /^#!?\/[^?#]+(?:\?[^#]*)?/
/** Docsify names the section of a page so, as the last parameter, since the fragment is taken. */
const SECTION = '?id='
/** Parts of a description of an API have fragments that begin like routes (RFC 6901), and addresses that say so. */
const POINTED_AT = /[?&]docent-[a-z]+=/

/** A fragment as the route to a page of its own, without what leads to a section of it; empty for any other fragment. */
export function hashRoute(fragment: string): string {
  const route = ROUTE.exec(fragment)?.[0] ?? ''
  const section = route.indexOf(SECTION, route.lastIndexOf('&') + 1)
  return section < 0 ? route : route.slice(0, section)
}

/** The address of a page that has been cited with a section of it. */
export function withoutSection(url: string): string {
  const at = url.indexOf('#')
  if (at < 0) return url
  const page = url.slice(0, at)
  return POINTED_AT.test(page) ? page : page + hashRoute(url.slice(at))
}

/** The address of a section of a page. */
export function sectionAddress(page: string, anchor: string | null): string {
  if (anchor === null || anchor === '') return page
  const at = page.indexOf('#')
  if (at < 0) return `${page}#${anchor}`
  return `${page}${page.includes('?', at) ? '&' : '?'}id=${anchor}`
}
