import type { Content } from '#builder/build-plan.ts'
import { type Builds, type BuildsDeps, openBuilds } from '#builder/open-builds.ts'
import { checkPlan } from '#mcp/custom/check-plan.ts'
import { toolFor } from '#mcp/tools/tools.ts'
import type { ToolPool } from '#mcp/threads/tool-pool.ts'
import { readAddress } from '#net/check-url.ts'
import type { Db } from '#store/db.ts'
import { type ClaimedBuild, sourcesForBuild } from '#store/servers/custom-tools.ts'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import type { Base } from './base.ts'
import type { ToolCalls } from './compose-mcp.ts'
import type { Models } from './compose-models.ts'
import type { Network, Reading } from './compose-network.ts'

type Parts = { models: Models; toolCalls: ToolCalls; network: Network; reading: Reading }

/** With a remote server, so that plans may call its tools. */
const REMOTE = [{ type: 'mcp' as const }]

/** Opens the builds of custom tools. They read and try in the threads that run tools. */
export function composeBuilds(base: Base, parts: Parts): Builds {
  const { store, stack, onError } = base
  return stack.use(
    openBuilds({
      store,
      clock: store.clock,
      checkPlan: (draft) => checkPlan(draft, (name) => toolFor(name, REMOTE)),
      contentFor: contentFor(base, parts),
      modelFor: parts.models.modelFor,
      onError,
    }),
  )
}

/** Content from the indexed sources of the account, and from a few pages of sites that are not indexed. */
function contentFor({ store }: Base, { toolCalls, network, reading }: Parts): BuildsDeps['contentFor'] {
  return async (build, named, signal) => {
    const { sources, missing } = await findSources(store.read, build, named)
    const held = new DisposableStack()
    const unread: string[] = []
    for (const [index, url] of missing.entries()) {
      const address = readAddress(url)
      const sample = 'address' in address ? await sampleOf({ network, reading }, address.address, signal) : null
      if (sample === null) {
        unread.push(url)
        continue
      }
      const id = `sample ${build.id} ${build.attempts} ${index}`
      held.use(toolCalls.samples.add(id, sample))
      sources.push(sampleSource(id, url, sample.pages))
    }
    const content = sources.length === 0 ? null : contentOf(toolCalls.tools, serverOf(build, sources))
    return { content, remark: remarkOn(unread), [Symbol.dispose]: () => held.dispose() }
  }
}

async function sampleOf({ network, reading }: Pick<Parts, 'network' | 'reading'>, address: URL, signal: AbortSignal) {
  // Lazy import, like all indexing code.
  const { readSample } = await import('#indexing/read-sample.ts')
  const { robots, pages, builder } = reading
  const deps = { net: network.askingNet, pacer: network.pacer, robots, pages: pages.share(), builder }
  return readSample(deps, address, signal)
}

function sampleSource(id: string, url: string, pages: number): ServedSource {
  const counts = { pagesFound: pages, pagesIndexed: pages }
  return { id, url, type: 'website', label: null, crawlStatus: 'complete', ...counts, segments: [id] }
}

/** The sources as one server, which exists for the build only. */
function serverOf({ id, accountId }: { id: string; accountId: string }, sources: ServedSource[]): ServedServer {
  const names = { slug: '', name: '', description: null }
  const settings = { plan: '', visibility: 'private' as const, tools: [], structuredOutput: false }
  return { id: `build ${id}`, accountId, ...names, ...settings, sources }
}

function contentOf(tools: ToolPool, server: ServedServer): Content {
  const { sources } = server
  const [only] = sources
  return {
    about: sources.length === 1 && only ? (only.label ?? only.url) : `${sources.length} sources`,
    survey: (topic, signal) => tools.run(server, 'survey', { topic }, { signal }),
    lookUp: (questions) => tools.run(server, 'names', { questions: [...questions] }),
    tryPlan: (draft, signal) => tools.run(server, 'try', draft, { signal }),
  }
}

function remarkOn(unread: readonly string[]): string | null {
  if (unread.length === 0) return null
  return `${unread.join(', ')} could not be read, so the tool is designed without. Sources other than sites are read only if a server of the account has indexed them.`
}

/** Sources read for one build, as many as a request can name. */
const MOST_SOURCES = 8

/**
 * Finds the indexed content for a build among the servers that its key may see. A source that the request names is
 * found by its address; `missing` are addresses that are not indexed. Without names, the sources indexed last are used.
 */
async function findSources(db: Db, build: ClaimedBuild, named: readonly { url: string }[]) {
  const scope = build.serverIds === null ? null : (JSON.parse(build.serverIds) as string[])
  const rows = await sourcesForBuild(db, build.accountId, scope)
  const indexed = rows
    .map((row): ServedSource => ({ ...row, segments: JSON.parse(row.segments) as string[] }))
    .filter(({ segments }) => segments.length > 0)
  const byAddress = new Map(indexed.toReversed().map((source) => [plain(source.url), source]))
  const chosen =
    named.length === 0
      ? [...byAddress.values()].toReversed()
      : named.flatMap(({ url }) => byAddress.get(plain(url)) ?? [])
  return {
    sources: [...new Set(chosen)].slice(0, MOST_SOURCES),
    missing: named.map(({ url }) => url).filter((url) => !byAddress.has(plain(url))),
  }
}

/** An address without the parts that people leave out. */
function plain(url: string): string {
  const text = url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
  return text.endsWith('/') ? text.slice(0, -1) : text
}
