/** Whether an `Accept-Encoding` header allows an encoding. A quality of 0 refuses it (RFC 9110, section 12.5.3). */
export function acceptsEncoding(header: string | undefined, encoding: 'br' | 'gzip'): boolean {
  const entry = header?.split(',').find((one) => one.split(';')[0]?.trim().toLowerCase() === encoding)
  return entry !== undefined && Number(entry.split('q=')[1] ?? 1) > 0
}
