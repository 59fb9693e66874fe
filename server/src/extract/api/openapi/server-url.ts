import { listOf, type Loose, recordOf, textOf } from '../loose-json.ts'

/**
 * Returns the absolute URL of the first server, with default values for its variables. The URL stays relative for a
 * description from a file, because that has no host.
 */
export function serverUrl(holder: Loose, base: string): string {
  const [server] = listOf(holder['servers'])
  const { url, variables } = recordOf(server)
  const filled = textOf(url).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    return textOf(recordOf(recordOf(variables)[name])['default']) || whole
  })
  const absolute = base.startsWith('file:') ? null : URL.parse(filled || '/', base)
  // URL parsing would encode the braces of variables without a value.
  if (absolute === null || /^[a-z][a-z+.-]*:\/\//i.test(filled)) return filled.replace(/(?<!\/)\/+$/, '')
  return absolute.href.replace(/(?<!\/)\/+$/, '')
}
