import type { Passage } from '#search/passage.ts'
import type { Section } from './sections.ts'
import { termsOf } from './asked-terms.ts'
import { NAMED } from './weights.ts'

/** A release: `2.1`, `v2.1.0`. */
const RELEASE = /(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w.]*\d)/g

/** Domains whose subdomains are named for projects. */
const HOSTERS = /\.(?:github\.io|gitlab\.io|readthedocs\.(?:io|org)|pages\.dev|netlify\.app|vercel\.app)$/
const CODE_HOSTS = /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)$/

/** Folders at the top of a site that are named for what they contain, not for a product. */
const PLAIN_FOLDERS = new Set(
  termsOf(`api blog changelog cookbook docs documentation examples faq features guide guides help install integrations
  learn manual news packages plugins posts products recipes reference release releases resources start support tools topics
  tutorial tutorials`),
)

/**
 * Keeps the sections about a release, a source and a product in the question, if there are any: `zsh` if the sources are
 * `upload://zsh/…` and `upload://octave/…`, `vite` if the pages are below `/vite/` and `/vue/`.
 */
export function restrictSections(question: string, sections: readonly Section[]): readonly Section[] {
  return ofNamedProducts(question, ofNamedSources(question, ofReleases(question, sections)))
}

function ofNamedProducts(question: string, sections: readonly Section[]): readonly Section[] {
  const asked = new Set(termsOf(question))
  const named = sections.filter(({ passage }) =>
    termsOf(folderOf(passage.url)).some((term) => asked.has(term) && !PLAIN_FOLDERS.has(term)),
  )
  return nearBest(sections, named)
}

/** The folder at the top of a site that contains the page. */
function folderOf(url: string): string {
  const parts = URL.parse(url)?.pathname.split('/') ?? []
  return parts.length > 2 ? (parts[1] ?? '') : ''
}

function ofReleases(question: string, sections: readonly Section[]): readonly Section[] {
  const asked = releasesIn(question)
  if (asked.size === 0) return sections
  const isOf = ({ passage }: Section) =>
    [...releasesIn(lastHeading(passage))].some((release) => isOfRelease(release, asked))
  // A title can name the release of the whole documentation.
  return nearBest(sections, sections.filter(isOf))
}

/** True for an asked release and for its patches: `3.38.1` for `3.38`. */
function isOfRelease(release: string, asked: ReadonlySet<string>): boolean {
  return asked.has(release) || [...asked].some((each) => release.startsWith(`${each}.`))
}

/** The named sections if one of them is nearly as good as the best of all, else all. */
function nearBest(sections: readonly Section[], named: readonly Section[]): readonly Section[] {
  const [best, bestNamed] = [sections[0], named[0]]
  return best && bestNamed && bestNamed.value >= NAMED.nearBest * best.value ? named : sections
}

function releasesIn(text: string): Set<string> {
  return new Set([...text.matchAll(RELEASE)].map(([, release = '']) => release))
}

function lastHeading({ headings, title }: Passage): string {
  return headings.at(-1) ?? title
}

function ofNamedSources(question: string, sections: readonly Section[]): readonly Section[] {
  if (new Set(sections.map(({ passage }) => passage.sourceId)).size < 2) return sections
  const asked = new Set(termsOf(question))
  const named = new Set(
    sections
      .filter(({ passage }) => namesOf(passage.url).some((name) => asked.has(name)))
      .map(({ passage }) => passage.sourceId),
  )
  return orAll(sections, ({ passage }) => named.has(passage.sourceId))
}

function orAll(sections: readonly Section[], test: (section: Section) => boolean): readonly Section[] {
  const kept = sections.filter(test)
  return kept.length > 0 ? kept : sections
}

/** Terms of the names of a page's product: its upload, site or repository, and the folder at the top. */
export function productOf(url: string): string[] {
  return [...namesOf(url), ...termsOf(folderOf(url)).filter((term) => !PLAIN_FOLDERS.has(term))]
}

/** Terms of the names of an upload, a site (`vite` for `vite.dev`) or a repository. */
function namesOf(url: string): string[] {
  const parsed = URL.parse(url)
  if (parsed === null) return []
  const { protocol, hostname, pathname } = parsed
  if (protocol === 'upload:') return termsOf(hostname)
  if (CODE_HOSTS.test(hostname)) return termsOf(pathname.split('/', 3).join(' '))
  const labels = hostname.split('.')
  return termsOf(labels.at(HOSTERS.test(hostname) ? -3 : -2) ?? '')
}
