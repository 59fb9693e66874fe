/** Decodes XML by its byte order mark, then by its declared encoding, then as UTF-8 (XML 1.0, appendix F). */
export function decodeXml(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const declared = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
  const marked = start.startsWith('\u00ff\u00fe')
    ? 'utf-16le'
    : start.startsWith('\u00fe\u00ff')
      ? 'utf-16be'
      : undefined
  try {
    return new TextDecoder(marked ?? declared).decode(bytes)
  } catch {
    // Unknown encoding label; most such files are UTF-8 anyway.
    return new TextDecoder().decode(bytes)
  }
}
