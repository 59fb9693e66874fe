import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Documents at the top of the project, by the name of their page. */
const TOP: Readonly<Record<string, string>> = {
  'README.md': 'getting-started',
  'ARCHITECTURE.md': 'architecture',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security',
}

/** A document: its path in the project, the name of its page, and its text. */
export type Document = { path: string; name: string; text: string }

/** All documents of the project that become pages. `docs/README.md` is the first page. */
export function readDocuments(): Document[] {
  const paths = [...Object.keys(TOP), ...globSync('docs/*.md', { cwd: ROOT }).toSorted()]
  return paths.map((path) => ({ path, name: pageName(path) ?? '', text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** The path in the project that a link of a document leads to. */
export const linkedPath = (document: string, link: string): string =>
  posix.normalize(posix.join(posix.dirname(document), link))

/** The name of the page of a document, or null for another file. */
export function pageName(path: string): string | null {
  if (path === 'docs/README.md') return 'index'
  const [, name] = /^docs\/([\w-]+)\.md$/.exec(path) ?? []
  return TOP[path] ?? name?.toLowerCase() ?? null
}
