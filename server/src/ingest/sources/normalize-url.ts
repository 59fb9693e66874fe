import { hashRoute } from '#lib/page-address.ts'

/** Parameters that follow visitors about and change nothing on the page, by analytics and advertising service. */
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

/** Names of session parameters that mean nothing else. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid|session_?id|sess_?id)$/i

/** Names that could be anything; their value tells. */
const MAYBE_SESSION = /^(?:sid|session|sess|cachebust(?:er)?|_)$/i
const RANDOM_VALUE = /^(?=.*\d)[\da-z]{12,}$/i

/** What RFC 3986, 2.3 calls unreserved: encoded or not, it means the same. */
const UNRESERVED = /[\w.~-]/

/**
 * The form in which URLs are compared, kept and fetched, or null for what is not an http(s) URL without credentials.
 * Beyond the WHATWG parser's work (case, dots, default port): no fragment but for a route (`#/guide`), percent-encoding in normal form (RFC 3986,
 * 6.2.2), no tracking and session parameters, parameters in order of their names. `/` and `/index.html` stay apart.
 */
export function normalizeUrl(href: string, base?: string): string | null {
  const url = URL.parse(href, base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname) return null
  url.hash = hashRoute(url.hash)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.pathname = normalEncoding(url.pathname.replace(/;jsessionid=[^/;]*/gi, ''))
  const query = normalQuery(url.search.slice(1))
  // With its own question mark, since the setter takes one that the query begins with for it.
  url.search = query === '' ? '' : `?${query}`
  return url.href
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
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code.toUpperCase()
  })
}
