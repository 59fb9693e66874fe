import type { Span } from './redact.ts'

/** Longest local part and domain of an email address (RFC 5321, section 4.5.3.1). */
const [LOCAL, DOMAIN] = [64, 255]

const isLocal = (unit: number): boolean => isAlphanumeric(unit) || ".!#$%&'*+/=?^_`{|}~-".includes(chr(unit))
const isDomain = (unit: number): boolean => isAlphanumeric(unit) || unit === DOT || unit === MINUS

const [DOT, MINUS, SPACE] = ['.', '-', ' '].map((character) => character.charCodeAt(0)) as [number, number, number]
const chr = (unit: number): string => String.fromCharCode(unit)
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57
/** Letters beyond ASCII count, as in `jürgen@müller.de`. */
const isLetter = (unit: number): boolean =>
  (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || (unit > 0xbf && !(unit >= 0x2000 && unit <= 0x206f))
const isAlphanumeric = (unit: number): boolean => isDigit(unit) || isLetter(unit)

/** Keeps the length, which `toLowerCase` does not for all letters. */
export const toLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Finds email addresses: from each `@` outwards, so that each character is read a bounded number of times. */
export function matchEmails(text: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    const floor = Math.max(spans.at(-1)?.[1] ?? 0, at - LOCAL)
    while (start > floor && isLocal(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < text.length && end - at <= DOMAIN && isDomain(text.charCodeAt(end))) end++
    while (end > at && !isAlphanumeric(text.charCodeAt(end - 1))) end--
    const dot = text.lastIndexOf('.', end - 1)
    const hasTopLevel = dot > at + 1 && end - dot > 2 && isLetter(text.charCodeAt(dot + 1))
    if (start < at && hasTopLevel) spans.push([start, end])
  }
  return spans
}

/** Digits of card numbers (ISO/IEC 7812-1). */
const [FEWEST, MOST] = [13, 19]

/** Finds card numbers: 13 to 19 digits with the check digit of Luhn's algorithm, also with a space or `-` between digits. */
export function matchCards(text: string): Span[] {
  const spans: Span[] = []
  for (let at = 0; at < text.length; at++) {
    // A number begins at a group of digits.
    if (!isDigit(text.charCodeAt(at)) || (at > 0 && isDigit(text.charCodeAt(at - 1)))) continue
    const end = cardEnd(text, at)
    if (end === null) continue
    spans.push([at, end])
    at = end
  }
  return spans
}

/** The end of the longest card number that begins here, or null. Reads at most twice as many characters as it may have. */
function cardEnd(text: string, start: number): number | null {
  const digits: number[] = []
  let longest: number | null = null
  for (let at = start; at < text.length && digits.length <= MOST; at++) {
    const unit = text.charCodeAt(at)
    if (isDigit(unit)) {
      digits.push(unit - 48)
      const isGroupEnd = !isDigit(text.charCodeAt(at + 1))
      const isLength = digits.length >= FEWEST && digits.length <= MOST
      if (isGroupEnd && isLength && passesLuhn(digits)) longest = at + 1
    } else if ((unit !== SPACE && unit !== MINUS) || !isDigit(text.charCodeAt(at + 1))) break
  }
  return longest
}

function passesLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((total, digit, at) => {
    const value = at % 2 === 1 ? digit * 2 : digit
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0 && digits.some((digit) => digit > 0)
}

/** A run of these characters can be a token. A slash or dot would join the parts of an address. */
const isTokenUnit = (unit: number): boolean =>
  isDigit(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || '_-+='.includes(chr(unit))

const PREFIXES =
  'sk- sk_ pk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxb- xoxp- AKIA ASIA AIza eyJ npm_ pypi- hf_ whsec_ dk_live_ dat_ dcs_ dav1_ des_'.split(
    ' ',
  )
const [PREFIXED_LENGTH, TOKEN_LENGTH] = [16, 20]
/** Changes between letters and digits. Words with a number have two at most, random texts of 20 characters six. */
const CHANGES = 4

/** Words before a secret, as in `password=…`, `Authorization: Bearer …`. */
const NAMES = 'password passwd passphrase secret token api_key api-key apikey access_key bearer'.split(' ')
const SEPARATORS = ':= \t"\''

/** Finds random texts, keys with a known prefix, and the values after names such as `password=`. */
export function matchTokens(text: string): Span[] {
  const spans: Span[] = [...namedSecrets(text)]
  for (let start = 0; start < text.length;) {
    let end = start
    while (end < text.length && isTokenUnit(text.charCodeAt(end))) end++
    if (end > start && isToken(text.slice(start, end))) spans.push([start, end])
    start = end + 1
  }
  return spans.toSorted(([a], [b]) => a - b)
}

function isToken(run: string): boolean {
  if (run.length >= PREFIXED_LENGTH && PREFIXES.some((prefix) => run.startsWith(prefix))) return true
  if (run.length < TOKEN_LENGTH) return false
  let changes = 0
  let before = ''
  for (const character of run) {
    const kind = isDigit(character.charCodeAt(0)) ? 'digit' : isLetter(character.charCodeAt(0)) ? 'letter' : before
    if (before !== '' && kind !== before) changes++
    before = kind
  }
  return changes >= CHANGES
}

/** The values after names of secrets, up to white space or a quotation mark. */
function* namedSecrets(text: string): Generator<Span> {
  const lower = toLower(text)
  for (const name of NAMES) {
    for (let next = 0, at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, next)) {
      const after = at + name.length
      next = after
      let start = after
      while (start < text.length && start - after < 4 && SEPARATORS.includes(text.charAt(start))) start++
      let end = start
      while (end < text.length && !/[\s"'`,;&]/.test(text.charAt(end))) end++
      next = end
      // A value follows `=` or `:`. "Bearer" needs none, but people also write of "bearer tokens".
      const isNamed = /[:=]/.test(text.slice(after, start))
      const isBearer = name === 'bearer' && start > after && /[^a-z]/i.test(text.slice(start, end))
      if (end > start && (isNamed || isBearer)) yield [start, end]
    }
  }
}
