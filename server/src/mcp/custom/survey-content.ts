import { isInjection } from '#answer/excerpts.ts'
import type { Survey } from '#builder/survey.ts'
import type { LibraryPage } from '#documents/library-page.ts'
import type { Library } from '#documents/library.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { languageKey } from '#search/rank/page-filter.ts'
import type { ToolContext } from '../definition/tool.ts'
import languages from '../passages/languages.json' with { type: 'json' }

const MOST_LANGUAGES = 30
const MOST_VERSIONS = 60
const MOST_PATHS = 400
const MOST_NAMES = 60
/** Passages found for the topic, whose titles and headings become inputs of trial calls. */
const PASSAGES = 40
const PATH_DEPTH = 3

/** Reads what a designer may know of the indexed content of a server. `topic` has the words of the request. */
export async function surveyContent(
  { library, search, server }: Pick<ToolContext, 'library' | 'search' | 'server'>,
  topic: string,
): Promise<Survey> {
  const pages = await library.all()
  const { passages, words } =
    topic === '' ? { passages: [], words: [] } : await search({ query: topic, limit: PASSAGES, budget: 80_000 })
  const labels = passages.flatMap(({ title, headings }) => [headings.at(-1) ?? '', title])
  const others = labels.length === 0 ? pages.slice(0, MOST_NAMES).map(({ title }) => title) : []
  // They become inputs of trial calls, which messages show.
  const cleaned = unique([...labels, ...others].map((label) => label.replaceAll(/[`*]/g, '').trim())).filter(isPlain)
  return {
    pages: pages.length,
    sources: server.sources.map(({ id, type, url, label }) => ({ id, type, url, label })),
    languages: await languagesOf(pages),
    versions: await versionsOf(library),
    has: {
      changes: await library.has(['changelog', 'release', 'migration']),
      issues: await library.has(['issue']),
      guides: await library.has(['start']),
      glossary: (await library.all({ path: '*glossary*' })).length > 0,
      faq: (await library.all({ path: '*faq*' })).length > 0,
    },
    paths: pathsOf(pages),
    unknownWords: words.filter(({ share }) => share * (pages.length + 1) < 1).map(({ word }) => word.toLowerCase()),
    words: words.length,
    names: cleaned.filter(isName).slice(0, MOST_NAMES),
    headings: cleaned.filter((label) => !isName(label) && !GENERAL.test(label)).slice(0, MOST_NAMES),
  }
}

/** Headings that occur in every documentation, so they do not identify the content. */
const GENERAL =
  /^(?:see also|examples?|usage|overview|introduction|description|syntax|parameters?|arguments?|options?|notes?|returns?|returned values?|further reading|related|resources|configuration|details|table of contents|next steps|what it does|why is this bad\??|rule details|name|synopsis|more|when not to use it|version)$/i

/** An identifier: one token with a mark of code in it, or in code style. */
function isName(label: string): boolean {
  return /^[\w$@][\w$@.:/()-]{2,60}$/.test(label) && (/[_.:/()-]|\p{Ll}\p{Lu}/u.test(label) || /^[a-z]+$/.test(label))
}

const MOST_CHARACTERS = 80

function isPlain(label: string): boolean {
  return label !== '' && label.length <= MOST_CHARACTERS && !isInjection(label)
}

/** A closed list, because a source can write anything after a fence, and the languages are shown to models. */
const LANGUAGES = new Set(languages.known)

async function languagesOf(pages: readonly LibraryPage[]): Promise<string[]> {
  const counts = new Map<string, number>()
  const turns = createYielder()
  for (const { segment } of new Set(pages.map(({ part }) => part))) {
    const bySet = new Map<number, number>()
    for (const set of segment.chunkCode) bySet.set(set, (bySet.get(set) ?? 0) + 1)
    for (const [set, count] of bySet) {
      for (const language of segment.codeSet(set).split(' ')) {
        const key = languageKey(language)
        if (LANGUAGES.has(key)) counts.set(key, (counts.get(key) ?? 0) + count)
      }
    }
    if (turns.due()) await turns.turn()
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return sorted.map(([language]) => language).slice(0, MOST_LANGUAGES)
}

/** Versions in addresses, and in the titles of pages about changes. Digits and dots only. */
async function versionsOf(library: Library): Promise<string[]> {
  const about = await library.pagesOf(['changelog', 'release', 'migration'])
  const titled = about.flatMap(({ title, url }) => {
    const found = `${title} ${url.split('/').at(-1) ?? ''}`.matchAll(IN_TITLE)
    return [...found].map(([, version = '']) => version)
  })
  const inUrls = (await library.versions()).map((version) => version.replace(/^v/i, ''))
  return unique([...inUrls, ...titled].filter((version) => VERSION.test(version))).slice(0, MOST_VERSIONS)
}

const IN_TITLE = /(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){0,2})(?:\.x)?(?![\w])/gi
const VERSION = /^\d{1,4}(?:\.\d{1,4}){0,2}$/

function pathsOf(pages: readonly LibraryPage[]): string[] {
  const counts = new Map<string, number>()
  for (const { url } of pages) {
    const parts = addressPath(url)
      .split('/')
      .filter(Boolean)
      .slice(0, PATH_DEPTH + 1)
    for (let depth = 1; depth < parts.length; depth++) {
      const path = `/${parts.slice(0, depth).join('/')}`
      if (/^[\w./~-]{2,120}$/.test(path)) counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
  const shared = [...counts].filter(([, count]) => count > 1).toSorted(([, one], [, other]) => other - one)
  return shared.map(([path]) => path).slice(0, MOST_PATHS)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
