import type { SourceType } from '@docent/contract/values/sources'
import type { Config } from '#config.ts'
import type { Log } from '#log.ts'
import { hasSandbox } from '#net/browser/chromium.ts'
import { findBrowser } from '#net/browser/browser-process.ts'
import { type PageRenderer, openRenderer } from '#net/browser/open-renderer.ts'
import type { NetClient } from '#net/client.ts'
import { type RobotsCache, createRobotsCache } from '#net/robots.ts'
import { PagePool, parseRobotsInChild } from '#readers/page-pool.ts'
import type { OnFault } from '#workers/kill-reason.ts'
import { type ReaderMemory, createReaderMemory } from '#workers/reader-memory.ts'
import { BuildPool } from '#search/build-pool.ts'
import type { Detected } from '#sources/detect-source.ts'
import { VERSION, userAgent } from '#version.ts'
import { readSourceCredential } from '#auth/vault.ts'
import { type SampleSegments, createSampleSegments } from '#mcp/threads/sample-segments.ts'
import { type ToolPool, openToolPool } from '#mcp/threads/tool-pool.ts'
import { readSegment, readTexts, servedSegments } from '#store/pages/segments.ts'
import { type OpenLiveSession, createLiveSessions } from '#upstream/connect-remote-mcp.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { Base } from './base.ts'
import type { Models } from './compose-models.ts'

/** Processes that read what was fetched, and build indexes from it. */
export type Reading = {
  memory: ReaderMemory
  pages: PagePool
  onFault: OnFault
  robots: RobotsCache
  /** Null if pages are not rendered. */
  renderer: PageRenderer | null
  builder: BuildPool
  detect: (net: NetClient, address: URL, guess: SourceType) => Promise<Detected>
}

const NO_SANDBOX =
  'Pages are rendered by Chromium without its sandbox, because the service runs as root. Run it as another user.'
const NOT_RENDERED =
  'Pages are not rendered: the service runs as root, and Chromium has no sandbox for root. Run the service as another user, or set DOCENT_BROWSER_WITHOUT_SANDBOX=on.'

/** Opens the process pools. Processes start with the first task. */
export function composeReading({ config, log, stack }: Base, net: NetClient): Reading {
  const memory = createReaderMemory(config.readerMemoryMb)
  const onFault: OnFault = (err, url) => log.error({ err, url }, 'a page could not be read')
  const pages = stack.use(new PagePool({ memory, onFault }))
  const robots = createRobotsCache({ net, userAgent: userAgent(), parse: parseRobotsInChild(pages) })
  const browser = chooseBrowser(config, log)
  const renderer = browser === null ? null : stack.use(openRenderer({ program: browser, userAgent: userAgent() }))
  const builder = stack.use(new BuildPool())
  return {
    memory,
    pages,
    onFault,
    robots,
    renderer,
    builder,
    // Lazy import, like all indexing code: most starts only answer requests.
    async detect(from, address, guess) {
      const { detectSource } = await import('#sources/detect-source.ts')
      return detectSource({ net: from, pages: pages.share(), robots, version: VERSION }, address, guess)
    },
  }
}

/** The browser that renders pages. Null if none is found, or if root may not start it. */
function chooseBrowser({ browser, browserWithoutSandbox }: Config, log: Log): string | null {
  const program = findBrowser(browser)
  if (program === null || hasSandbox()) return program
  log.warn(browserWithoutSandbox ? NO_SANDBOX : NOT_RENDERED)
  return browserWithoutSandbox ? program : null
}

export type ToolCalls = {
  tools: ToolPool
  openLiveSession: OpenLiveSession
  /** Content that is not stored, for trial calls of custom tools. */
  samples: SampleSegments
}

/** Memory for open segments and their data in threads. A thousand pages take about 5 MB. */
export const SEGMENT_CACHE_BYTES = 256_000_000

const JUST_PRIVATE = 'The server has just become private. Ask again, with an access token.'

/** Opens the threads that run tools, and the sessions that they need at remote MCP servers. */
export function composeToolCalls(base: Base, net: NetClient, { embedders, modelFor }: Models): ToolCalls {
  const { config, store, vault, log, stack } = base
  const openLiveSession = createLiveSessions({ net, version: VERSION })
  const samples = createSampleSegments()
  const tools = stack.use(
    openToolPool({
      threads: config.threads,
      segmentBytes: SEGMENT_CACHE_BYTES,
      embeddingModel: embedders?.indexing.model.name ?? null,
      loadSegment: async (id) => samples.load(id) ?? readSegment(store.read, id),
      findServed: async (ids) =>
        new Set([...(await servedSegments(store.read, ids)), ...ids.filter((id) => samples.has(id))]),
      loadTexts: async (sourceId, hashes) => samples.texts(sourceId, hashes) ?? readTexts(store.read, sourceId, hashes),
      embed: async (query, accountId) => embedders?.embedQuestion(query, accountId) ?? null,
      modelFor: ({ accountId }) => modelFor(accountId),
      async connectRemote({ id: serverId, accountId, visibility }, { id, url }, signal) {
        const credential = await readSourceCredential({ store, vault }, id)
        // The caller presented no token for a public server.
        if (credential && visibility === 'public') throw new UpstreamError('failed', JUST_PRIVATE)
        return openLiveSession({ serverId, accountId }, { url, credential, signal })
      },
      reportFailure: (error) => log.error({ err: error }, 'a tool did not fail, but had trouble'),
    }),
  )
  return { tools, openLiveSession, samples }
}
