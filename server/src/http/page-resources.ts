/** What pages of the dashboard need at once. Its build writes this file: `dashboard/page-resources.ts`. */
export type PageResources = {
  fonts: readonly string[]
  /** Paths that lead to an account. */
  front: readonly string[]
  /** Queries without a session, and with one on every page. */
  frontReads: readonly string[]
  sessionReads: readonly string[]
  screens: readonly Screen[]
}

type Screen = {
  /** With `:name` for a part that differs. */
  path: string
  scripts: readonly string[]
  reads: readonly string[]
  /** Queries without filters: only for an address without a query. */
  plainReads: readonly string[]
}

type Place = { path: string; hasQuery: boolean; hasSession: boolean }

/**
 * Links for the head of a page, in the order in which the browser needs the files: it has six connections. The fonts
 * come last, because a text can be read without them.
 */
export function linksFor(resources: PageResources, { path, hasQuery, hasSession }: Place): string {
  const { fonts, front, frontReads, sessionReads, screens } = resources
  const wanted = front.includes(path) ? screens[0]?.path : path
  const [screen, values] = findScreen(screens, wanted ?? path)
  const isOpen = hasSession && screen !== null
  const scripts = isOpen ? screen.scripts : []
  // Nothing shows without the session. The rest of every page can come after the screen.
  const [session = [], ...rest] = sessionReads
  const reads = hasSession ? [session, readsOf(screen, hasQuery), rest].flat() : frontReads
  const links = [
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}" />`),
    ...reads.map((read) => `<link rel="preload" as="fetch" crossorigin href="${filled(read, values)}" />`),
    ...fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}" />`),
  ]
  return links.map((link) => `    ${link}\n`).join('')
}

const readsOf = (screen: Screen | null, hasQuery: boolean): readonly string[] =>
  screen ? [...screen.reads, ...(hasQuery ? [] : screen.plainReads)] : []

type Found = readonly [Screen | null, ReadonlyMap<string, string>]

function findScreen(screens: readonly Screen[], path: string): Found {
  const parts = path.split('/')
  for (const screen of screens) {
    const names = screen.path.split('/')
    if (names.length !== parts.length) continue
    const pairs = names.map((name, index) => [name, parts[index] ?? ''] as const)
    if (!pairs.every(([name, part]) => name === part || (name.startsWith(':') && part !== ''))) continue
    return [screen, new Map(pairs.filter(([name]) => name.startsWith(':')))]
  }
  return [null, new Map()]
}

/** Percent encoding leaves no character that has a meaning in an attribute. */
const filled = (read: string, values: ReadonlyMap<string, string>): string =>
  read.replaceAll(/:\w+/g, (name) => encodeURIComponent(values.get(name) ?? '')).replaceAll('&', '&amp;')
