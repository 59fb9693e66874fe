import { sourceKind } from '@docent/contract/values/source-kinds'
import { z } from 'zod'
import type { Survey } from '#builder/survey.ts'
import type { LibraryPage } from '#documents/library-page.ts'
import type { Library } from '#documents/library.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { languageKey } from '#search/rank/page-filter.ts'
import { fold } from '#grammar/tokenise.ts'
import type { ToolContext } from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'
import { askRemote, hasPlainName, isReadOnly } from '../remote/list-remote.ts'
import languages from '../passages/languages.json' with { type: 'json' }

const MOST_LANGUAGES = 30
const MOST_VERSIONS = 60
const MOST_PATHS = 400
const PATH_DEPTH = 3

/** Reads what a designer may know of the indexed content of a server. `topic` has the words of the request. */
export async function surveyContent(
  context: Pick<ToolContext, 'library' | 'search' | 'server' | 'connectRemote'>,
  topic: string,
  signal?: AbortSignal,
): Promise<Survey> {
  const { library, search, server } = context
  const pages = await library.all()
  const { words } = topic === '' ? { words: [] } : await search({ query: topic, limit: 1 }, signal)
  const unknown = words.filter(({ share }) => share * (pages.length + 1) < 1).map(({ word }) => fold(word))
  return {
    pages: pages.length,
    sources: server.sources.map(({ id, type, url, label }) => ({ id, type, url, label })),
    languages: await languagesOf(pages),
    versions: await versionsOf(library),
    has: {
      changes: await library.has(['changelog', 'release', 'migration']),
      issues: await library.has(['issue']),
    },
    paths: pathsOf(pages),
    pageVersions: await library.versions(),
    unknownWords: unknown,
    remoteTools: await remoteToolsOf(context, signal),
  }
}

/** Arguments of a remote tool are shown to models, so that a name that could be a sentence is left out. */
const PLAIN_ARGUMENT = /^[A-Za-z_][\w-]{0,39}$/
const MOST_TOOLS = 60

/** The tools of remote MCP servers: their names and arguments, never their words. A server that is down has none. */
async function remoteToolsOf(
  context: Pick<ToolContext, 'server' | 'connectRemote'>,
  signal: AbortSignal | undefined,
): Promise<Survey['remoteTools']> {
  const tools: Survey['remoteTools'] = []
  for (const source of context.server.sources.filter(({ type }) => sourceKind(type).hasTools)) {
    try {
      const { items } = await askRemote(context, source, { ask: (session) => session.listTools(), signal })
      for (const tool of items.filter(hasPlainName)) {
        const { properties, required } = SchemaOfArguments.parse(tool.inputSchema)
        const given = Object.keys(properties).filter((name) => PLAIN_ARGUMENT.test(name))
        tools.push({
          source: source.label ?? source.url,
          name: tool.name,
          isCallable: isReadOnly(tool),
          arguments: given.map((name) => ({ name, isRequired: required.includes(name) })),
        })
      }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      signal?.throwIfAborted()
    }
  }
  return tools.slice(0, MOST_TOOLS)
}

const SchemaOfArguments = z
  .object({ properties: z.record(z.string(), z.unknown()).catch({}), required: z.array(z.string()).catch([]) })
  .catch({ properties: {}, required: [] })

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
