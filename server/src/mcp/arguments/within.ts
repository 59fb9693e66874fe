import type { Library, Scope } from '#documents/library.ts'
import type { ToolContext } from '../definition/tool.ts'

/** The search and the library of a context, restricted to a scope. */
export function within({ search, library }: ToolContext, scope: Scope): Pick<ToolContext, 'search' | 'library'> {
  const inside = (asked: Scope = {}): Scope => ({ ...asked, ...scope })
  const seen: Library = {
    analyserOf: library.analyserOf,
    has: (kinds, asked) => library.has(kinds, inside(asked)),
    pagesOf: (kinds, asked) => library.pagesOf(kinds, inside(asked)),
    named: (wanted, asked) => library.named(wanted, inside(asked)),
    pagesAt: (urls, asked) => library.pagesAt(urls, inside(asked)),
    all: (asked) => library.all(inside(asked)),
    outline: (sourceId) => library.outline(sourceId),
    startOf: (version, asked) => library.startOf(version, inside(asked)),
    latest: (asked) => library.latest(inside(asked)),
    versions: (asked) => library.versions(inside(asked)),
    open: (pages) => library.open(pages),
  }
  return { search: (request, signal) => search({ ...request, ...scope }, signal), library: seen }
}
