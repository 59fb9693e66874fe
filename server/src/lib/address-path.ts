/** The parameter by which files of a repository are told apart where nothing is known of its host's pages. */
const FILE = '?docent-file='

/** The address of a file of the repository at `base`, for which its host is not known to have a page. */
export const fileAddress = (base: string, file: string): string => base + FILE + file

/**
 * The path of a page's address, without a slash at its end: what stands before the query, and the file where the address
 * is a repository's own with a file as its parameter.
 */
export function addressPath(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  if (from < 0) return '/'
  const whole = url.slice(from).split('#', 1)[0] ?? '/'
  const path = whole.split('?', 1)[0] ?? '/'
  const file = whole.startsWith(FILE, path.length) ? `/${whole.slice(path.length + FILE.length)}` : ''
  return path.length + file.length > 1 ? path.replace(/\/$/, '') + file : path
}
