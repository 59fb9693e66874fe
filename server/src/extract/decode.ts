import { analyse } from 'chardet'
import { inSlices } from '#lib/text/in-slices.ts'
import signatures from './binary-signatures.json' with { type: 'json' }

/** Bytes searched for an encoding declaration, per the HTML standard's prescan. */
const PRESCAN = 1024
/** Sample size for statistical detection, in bytes. */
const DETECT_SAMPLE = 1 << 16
/** Minimum confidence in percent. Below it the first guess is no better than the second. */
const LEAST_CONFIDENCE = 25
/** Maximum share of replacement characters. A page below it is damaged in places, not in another encoding. */
const MAX_BROKEN_SHARE = 0.002

/**
 * Decodes bytes in the order that browsers use: byte order mark, header charset, declaration in the document. Then
 * tries UTF-8, then statistical detection. Ignores a declaration that contradicts the bytes. Converts line ends to
 * `\n`. Returns null if the bytes are not text in an encoding of the WHATWG Encoding Standard.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | null {
  const text = decode(bytes, contentType)
  return text?.includes('\r') ? inSlices(text, (slice) => slice.replace(/\r\n?/g, '\n')) : text
}

function decode(bytes: Uint8Array, contentType: string | null): string | null {
  const marked = byOrderMark(bytes)
  if (marked !== undefined) return marked
  const label = declaredEncoding(bytes, contentType)
  const utf8 = strictly('utf-8', bytes)
  // Trust valid non-ASCII UTF-8 over an eight-bit declaration: old templates declare wrong charsets.
  if (utf8 !== null && (label === null || isEightBit(label)) && !isEscaped(bytes)) return utf8
  const declared = label === null ? null : strictly(label, bytes)
  if (declared !== null) return declared
  const damaged = label === null && isEscaped(bytes) ? null : mostly(label ?? 'utf-8', bytes)
  if (damaged !== null) return damaged
  const guess = guessEncoding(bytes)
  if (guess.startsWith('UTF-32')) return decodeUtf32(bytes, guess.endsWith('LE'), 0)
  return strictly(guess, bytes) ?? mostly(guess, bytes)
}

/** Falls back to windows-1252 at low confidence, as browsers do for old pages. */
function guessEncoding(bytes: Uint8Array): string {
  const [best] = analyse(sample(bytes))
  return best === undefined || best.confidence < LEAST_CONFIDENCE ? 'windows-1252' : best.name
}

/** Returns the charset of the header, a meta element or an XML declaration as a TextDecoder label, or null. */
export function declaredEncoding(bytes: Uint8Array, contentType: string | null): string | null {
  const fromHeader = known(/charset\s*=\s*(?:["']\s*)?([\w:.+-]{2,40})/i.exec(contentType ?? '')?.[1])
  if (fromHeader !== null) return fromHeader
  const head = Buffer.from(bytes.subarray(0, PRESCAN)).toString('latin1')
  const inside =
    /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w:.+-]{2,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.+-]{2,40})/i.exec(head)?.[1]
  const label = known(inside)
  // The declaration was readable as ASCII, so the document cannot be UTF-16. The standard reads it as UTF-8.
  return label?.startsWith('utf-16') ? 'utf-8' : label
}

function known(label: string | undefined): string | null {
  if (label === undefined) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    // Treat a label outside the standard as absent.
    return null
  }
}

/** Single-byte encodings decode any bytes, so decoding cannot reveal a wrong declaration. */
function isEightBit(label: string): boolean {
  return /^(windows-|iso-8859|koi8|ibm|macintosh|x-mac|utf-8)/.test(label)
}

/** ISO-2022 consists of ASCII and escape sequences, so it is always valid UTF-8, too. */
function isEscaped(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0x1b)
  return at >= 0 && (bytes[at + 1] === 0x24 || bytes[at + 1] === 0x28)
}

function byOrderMark(bytes: Uint8Array): string | null | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return mostly('utf-8', bytes)
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? decodeUtf32(bytes, true, 4) : mostly('utf-16le', bytes)
  if (a === 0xfe && b === 0xff) return mostly('utf-16be', bytes)
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return decodeUtf32(bytes, false, 4)
  return undefined
}

function strictly(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    // Not this encoding. The caller tries the next one.
    return null
  }
}

function mostly(label: string, bytes: Uint8Array): string | null {
  if (known(label) === null) return null
  const text = new TextDecoder(label).decode(bytes)
  let broken = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) broken++
  return broken <= Math.max(3, text.length * MAX_BROKEN_SHARE) ? text : null
}

/** Returns the bytes from shortly before the first non-ASCII byte: ASCII alone tells the detector nothing. */
function sample(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f || byte === 0x1b)
  const start = Math.max(0, Math.floor((first - 512) / 4) * 4)
  return bytes.subarray(start, start + DETECT_SAMPLE)
}

/** UTF-32 is not in the standard, but editors still write it. */
function decodeUtf32(bytes: Uint8Array, littleEndian: boolean, start: number): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let at = start; at + 4 <= bytes.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian)
    if (code > 0x10ffff) return null
    text += String.fromCodePoint(code)
  }
  return text
}

export type TextKind = 'html' | 'markdown' | 'plain'

const BY_TYPE: [pattern: RegExp, kind: TextKind][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^text\/(?:x-)?(?:markdown|mdx)$/, 'markdown'],
  [/^text\/plain$/, 'plain'],
]

/** Returns the media type of a Content-Type header in lower case, without parameters. */
export function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Chooses the reader for a document, or returns null if it is not readable text. The header decides, or the first bytes
 * if it is absent. The URL separates Markdown from plain text. Binary signatures override all of them.
 */
export function textKind(contentType: string | null, url: string, bytes: Uint8Array): TextKind | null {
  const type = mediaType(contentType)
  const kind = type === '' ? sniff(bytes) : BY_TYPE.find(([pattern]) => pattern.test(type))?.[1]
  if (kind === undefined || looksBinary(bytes)) return null
  return kind === 'plain' && /\.(?:md|mdx|markdown)(?:[?#]|$)/i.test(url) ? 'markdown' : kind
}

function sniff(bytes: Uint8Array): TextKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  return /<(?:!doctype|html|head|body|title|meta|main|article|div|p|h1)[\s>]/i.test(head) ? 'html' : 'plain'
}

/** Detects images, archives, PDF, fonts and programs, which servers send with a text type, by their first bytes. */
function looksBinary(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  return signatures.some((signature) => head.startsWith(signature))
}
