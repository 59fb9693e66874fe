import { decoded } from './page-address.ts'

/** Stands for a secret in an address that is shown: `?api_key=…`. The second address of a server with it has `…2`. */
const MASK = '…'
const MASKED = /^…\d*$/

/** Names of parameters that have a credential, without their separators: `api_key`, `X-Amz-Signature`, `pwd`. */
const SECRET_NAME =
  /(?:api|access|secret|private|auth|subscription|shared|app|account|license)key(?:id)?$|(?<!page|next|continuation|cursor|sync|csrf)token$|secret$|signature$|^sig$|passw(?:or)?d$|^pwd$|^pass(?:phrase)?$|credentials?$|^(?:auth|authorization|bearer|jwt|hmac)$|^x(?:amz|goog)/
/** Names that are often, but not always, those of a credential. */
const MAYBE_SECRET_NAME = /^(?:key|code|sid|session(?:id|key)?)$/

/** Characters of a random value: 20 of Base62 have 119 bits. */
const RANDOM_LENGTH = 20
/** Share of neighbours of different classes: 0.6 in Base62, 0.4 in hexadecimal, below 0.2 in words and numbers. */
const RANDOM_CHANGES = 0.25

type Pair = { name: string; value: string }

const isMask = (value: string): boolean => MASKED.test(decoded(value))

/** True for the name of a parameter or field that has a credential. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name.toLowerCase().replace(/[^a-z]/g, ''))

const hasValue = ({ value }: Pair): boolean => value !== '' && !isMask(value)
const isNamedSecret = (pair: Pair): boolean => hasValue(pair) && isSecretName(decoded(pair.name))

/** True for a pair that has a credential by its name, or by the randomness of its value. */
const isSecret = (pair: Pair): boolean =>
  isNamedSecret(pair) ||
  (hasValue(pair) && (MAYBE_SECRET_NAME.test(pair.name.toLowerCase()) || isRandom(decoded(pair.value))))

function isRandom(value: string): boolean {
  const text = value.replace(/[^a-z\d]/gi, '')
  if (text.length < RANDOM_LENGTH) return false
  const classes = Array.from(text, (character) => (/\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : 2))
  const changes = classes.filter((one, index) => index > 0 && one !== classes[index - 1]).length
  return changes / text.length >= RANDOM_CHANGES
}

/** The text of an address with each pair of its query replaced by `change`, or left out for null. */
function changePairs(text: string, change: (pair: Pair) => string | null): string {
  const [whole = '', ...fragment] = text.split('#')
  const at = whole.indexOf('?')
  if (at < 0) return text
  const pairs = whole
    .slice(at + 1)
    .split('&')
    .flatMap((pair) => {
      const equals = pair.indexOf('=')
      const changed = equals < 0 ? pair : change({ name: pair.slice(0, equals), value: pair.slice(equals + 1) })
      return changed ?? []
    })
  const query = pairs.join('&')
  if (query === whole.slice(at + 1)) return text
  return [whole.slice(0, at) + (query === '' ? '' : `?${query}`), ...fragment].join('#')
}

const textOf = ({ name, value }: Pair): string => `${name}=${value}`

/** User name and password of an address, after its scheme. */
export const USER_INFO = /^(https?:\/\/)[^/?#]*@/i

/** An address, or any text like one, as it is shown and stored: without user name and password, with masked secrets. */
export function maskAddress(text: string, number = 1): string {
  const mask = number === 1 ? MASK : `${MASK}${number}`
  const masked = changePairs(text, (pair) => (isSecret(pair) ? `${pair.name}=${mask}` : textOf(pair)))
  return masked.replace(USER_INFO, '$1')
}

/** A text in which every http(s) address is masked. */
export const maskAddresses = (text: string): string =>
  text.includes('://') ? text.replace(/https?:\/\/[^\s<>"'`\\]+/gi, (address) => maskAddress(address)) : text

/** The address without its masked parameters. */
export const withoutMasked = (shown: string): string =>
  changePairs(shown, (pair) => (isMask(pair.value) ? null : textOf(pair)))

/** An address that a page gives, without parameters whose names are those of credentials. */
export function withoutSecrets(href: string): string {
  return href.includes('=') ? changePairs(href, (pair) => (isNamedSecret(pair) ? null : textOf(pair))) : href
}

/** True for a `name=value` of an address in a page that has a credential by its name. */
export function isSecretPair(pair: string): boolean {
  const equals = pair.indexOf('=')
  return equals > 0 && isNamedSecret({ name: pair.slice(0, equals), value: pair.slice(equals + 1) })
}

/** Percent-encoded masks, as the parser of addresses writes them, in their shown form. */
export const showMasks = (href: string): string => href.replaceAll('=%E2%80%A6', `=${MASK}`)

/** Shorter secrets could be parts of ordinary words, so they are hidden after their name only. */
const LEAST_SECRET = 8

/** Secrets for the requests to an origin. Everything that comes back must be without them. */
export type Secrets = {
  origin: string
  /** Headers with a credential. */
  headers: Readonly<Record<string, string>>
  /** The address to fetch: that of the origin gets its secrets back. */
  reveal: (shown: string) => string
  /** A text without the secrets. */
  hide: (text: string) => string
  isIn: (bytes: Buffer) => boolean
}

/** Shorter values of cookies could be words. */
const LEAST_COOKIE = 16

/** Headers with a credential, as secrets. `parts` are further texts that must not come back. */
export function secretsOfHeaders(
  origin: string,
  headers: Readonly<Record<string, string>>,
  parts: string[] = [],
): Secrets {
  const values = Object.values(headers)
  const words = values.flatMap((value) =>
    value.split(/[;\s]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]),
  )
  const plain = [...values, ...words.filter(({ length }) => length >= LEAST_COOKIE), ...parts]
  const hidden = longest(plain.flatMap((value) => [value, encodeURIComponent(value)]))
  return {
    origin,
    headers,
    reveal: (shown) => shown,
    hide: (text) => hidden.reduce((left, secret) => left.replaceAll(secret, MASK), text),
    isIn: (bytes) => hidden.some((secret) => bytes.includes(secret)),
  }
}

/** The distinct texts that are long enough to be hidden, the longest first. */
const longest = (texts: string[]): string[] =>
  [...new Set(texts)].filter(({ length }) => length >= LEAST_SECRET).toSorted((one, other) => other.length - one.length)

/** The secrets of an address, for the requests to its origin and for everything that comes back. */
export function readSecrets(original: string): Secrets & { names: string[] } {
  const { origin, username, password } = new URL(original)
  const values = new Map<string, string>()
  changePairs(original, (pair) => {
    if (isSecret(pair)) values.set(pair.name, pair.value)
    return null
  })
  const user = [username, password].map(decoded)
  const long = longest([...values.values(), password].flatMap((value) => [value, decoded(value)]))
  const named = [...values].map(([name, value]) => ({ pair: `${name}=${value}`, mask: `${name}=${MASK}` }))
  return {
    origin,
    /** Names of the parameters, and of the parts before the host. */
    names: [...values.keys(), ...(user.join('') === '' ? [] : ['user name and password'])],
    headers: user.join('') === '' ? {} : { authorization: `Basic ${Buffer.from(user.join(':')).toString('base64')}` },
    reveal: (shown) =>
      URL.parse(shown)?.origin === origin
        ? changePairs(shown, ({ name, value }) => `${name}=${isMask(value) ? (values.get(name) ?? value) : value}`)
        : shown,
    hide: (text) =>
      long.reduce(
        (left, secret) => left.replaceAll(secret, MASK),
        named.reduce((left, { pair, mask }) => left.replaceAll(pair, mask), text),
      ),
    isIn: (bytes) => long.some((secret) => bytes.includes(secret)) || named.some(({ pair }) => bytes.includes(pair)),
  }
}
