export type TextKind = 'html' | 'markdown' | 'plain'

const BY_TYPE = new Map<string, TextKind>([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/plain', 'plain'],
  ['text/mdx', 'markdown'],
])

/** The media type of a Content-Type header, lower-case, without parameters. */
export function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Which reader a document goes to, or null when it is no text that Docent reads. The header decides; the address tells
 * Markdown from plain text, and where there is no header the first bytes decide. Bytes that no text has overrule both.
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

/** Signatures of images, archives, PDF, fonts and programs that servers send with a text type. */
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
