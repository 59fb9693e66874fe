import { readSourceCredential } from '#auth/source-credential.ts'
import { type SampleSegments, createSampleSegments } from '#mcp/threads/sample-segments.ts'
import { type ToolPool, openToolPool } from '#mcp/threads/tool-pool.ts'
import type { NetClient } from '#net/client.ts'
import { readSegment, readTexts, servedSegments } from '#store/pages/segments.ts'
import { type OpenLiveSession, createLiveSessions } from '#upstream/connect-remote-mcp.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { VERSION } from '#version.ts'
import type { Base } from './base.ts'
import type { Models } from './compose-models.ts'

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
