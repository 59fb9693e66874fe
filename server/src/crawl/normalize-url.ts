import { hashRoute } from '#lib/addresses/page-address.ts'

/** Tracking parameters of analytics and advertising services, which do not change the page. */
const TRACKING = new RegExp(
  '^(?:' +
    [
      'utm_.*|itm_.*|pk_.*|piwik_.*|mtm_.*|matomo_.*|hsa_.*', // campaign tags
      'gclid|gclsrc|dclid|gbraid|wbraid|gad_source|gad_campaignid|srsltid|_ga|_gl', // Google
      'fbclid|igshid|igsh|msclkid|yclid|_openstat|ttclid|twclid|li_fat_id|epik|rdt_cid|scclid|s_kwcid|ef_id', // ads
      'mc_cid|mc_eid|_hsenc|_hsmi|__hs.*|hsctatracking|mkt_tok|vero_.*|oly_.*|_bta_.*|trk_.*|dm_i|wickedid', // mail
      'ref_src|ref_url|share_id',
    ].join('|') +
    ')$',
  'i',
)

/** Unambiguous names of session parameters. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid|session_?id|sess_?id)$/i

/** Ambiguous names: the value decides. */
const MAYBE_SESSION = /^(?:sid|session|sess|cachebust(?:er)?|_)$/i
const RANDOM_VALUE = /^(?=.*\d)[\da-z]{12,}$/i

/** Unreserved characters (RFC 3986, section 2.3): percent-encoding them makes no difference. */
const UNRESERVED = /[\w.~-]/

/**
 * Normalizes a URL for comparison, storage and fetching. Returns null unless it is an http(s) URL without credentials.
 * Beyond the WHATWG parser (case, dots, default port): drops fragments except hash routes (`#/guide`), normalizes
 * percent-encoding (RFC 3986, section 6.2.2), drops tracking and session parameters, and sorts parameters by name. `/`
 * and `/index.html` stay distinct.
 */
export function normalizeUrl(href: string, base?: string): string | null {
  const url = URL.parse(href, base)
  return url && toNormalForm(url) ? url.href : null
}

/** Changes a URL to its normal form. Returns false, for any change, if it is not a page's URL. */
export function toNormalForm(url: URL): boolean {
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname) return false
  const { href } = url
  // Setting a part parses the whole URL again. Most have no fragment and no query, and a path in normal form.
  if (href.includes('#')) url.hash = hashRoute(url.hash)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const path = normalEncoding(url.pathname.replace(/;jsessionid=[^/;]*/gi, ''))
  if (path !== url.pathname) url.pathname = path
  if (href.includes('?')) {
    const query = normalQuery(url.search.slice(1))
    // Add the question mark here, because the setter strips one from a query that starts with it.
    url.search = query === '' ? '' : `?${query}`
  }
  return true
}

function normalQuery(query: string): string {
  return normalEncoding(query)
    .split('&')
    .filter((pair) => pair !== '' && !isNoise(pair))
    .map((pair) => ({ pair, name: pair.split('=', 1)[0] ?? '' }))
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({ pair }) => pair)
    .join('&')
}

function isNoise(pair: string): boolean {
  const [name = '', value = ''] = pair.split('=', 2)
  return TRACKING.test(name) || SESSION.test(name) || (MAYBE_SESSION.test(name) && RANDOM_VALUE.test(value))
}

function normalEncoding(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code.toUpperCase()
  })
}
