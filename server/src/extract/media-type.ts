export type TextKind = 'html' | 'markdown' | 'plain'

const BY_TYPE = new Map<string, TextKind>([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/plain', 'plain'],
  ['text/mdx', 'markdown'],
])

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
  const kind = type === '' ? sniff(bytes) : BY_TYPE.get(type)
  if (kind === undefined || looksBinary(bytes)) return null
  return kind === 'plain' && /\.(?:md|mdx|markdown)(?:[?#]|$)/i.test(url) ? 'markdown' : kind
}

function sniff(bytes: Uint8Array): TextKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  return /<(?:!doctype|html|head|body|title|meta|main|article|div|p|h1)[\s>]/i.test(head) ? 'html' : 'plain'
}

/** Signatures of images, archives, PDF, fonts and programs, which servers send with a text type. */
const SIGNATURES = [
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  'RIFF',
  '%PDF-',
  'PK\x03\x04',
  '\x1f\x8b',
  'wOFF',
  '\x7fELF',
  '\x00asm',
]

function looksBinary(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  return SIGNATURES.some((signature) => head.startsWith(signature))
}
