import { listOf, type Loose, recordOf, textOf } from '../loose-json.ts'

/**
 * Where requests go: the first server, its variables filled in, made absolute where it is not. What was read from a file
 * has no host to be made absolute by.
 */
export function serverUrl(holder: Loose, base: string): string {
  const [server] = listOf(holder['servers'])
  const { url, variables } = recordOf(server)
  const filled = textOf(url).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    return textOf(recordOf(recordOf(variables)[name])['default']) || whole
  })
  const absolute = base.startsWith('file:') ? null : URL.parse(filled || '/', base)
  // Braces of variables without a value would be encoded.
  if (absolute === null || /^[a-z][a-z+.-]*:\/\//i.test(filled)) return filled.replace(/(?<!\/)\/+$/, '')
  return absolute.href.replace(/(?<!\/)\/+$/, '')
}
