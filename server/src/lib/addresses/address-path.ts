/** Query parameter that names a repository file if the page URLs of its host are unknown. */
const FILE = '?docent-file='

/** Address of a repository file at `base`, for hosts with unknown page URLs. */
export const fileAddress = (base: string, file: string): string => base + FILE + file

/**
 * The path of a page's address without trailing slash and query. For a file address of a repository, the path of that
 * file.
 */
export function addressPath(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  if (from < 0) return '/'
  const whole = url.slice(from).split('#', 1)[0] ?? '/'
  const path = whole.split('?', 1)[0] ?? '/'
  const file = whole.startsWith(FILE, path.length) ? `/${whole.slice(path.length + FILE.length)}` : ''
  return path.length + file.length > 1 ? path.replace(/\/$/, '') + file : path
}
