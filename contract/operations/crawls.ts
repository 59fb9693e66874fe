import { z } from 'zod'
import { IssuedTokenSchema } from './access-tokens.ts'
import { ServerParameterSchema, ServerStatusSchema, sourceId } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { crawlFields } from '#values/sources.ts'

const progressFields = {
  status: ServerStatusSchema,
  jobs: z
    .object({
      queued: z.number().int().describe('Jobs that wait'),
      running: z.number().int().describe('Jobs that run'),
      done: z.number().int().describe('Sources whose indexing has ended, with or without success'),
      failed: z.number().int().describe('Jobs that failed after all attempts'),
    })
    .describe('Work of the server'),
  percent: z.number().min(0).max(100).describe('Share of the known pages that have been processed; 100 at the end'),
  etaSeconds: z.number().int().nullable().describe('Estimated seconds until the end; null without an estimate'),
  pagesPerSecond: z.number().nullable().describe('Pages processed per second; null without an estimate'),
  sources: z.array(z.object({ id: sourceId, ...crawlFields })).describe('Progress of each source'),
}

export const crawlServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/crawl',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'serverInBody',
  summary: 'Index all sources of a server again, or one of them',
  description:
    'A private repository that has never been indexed is read with the linked account of its host, which can be newer than the source. It makes a public server private.',
  input: z.object({
    serverId: z.string('server_id_required').min(1, 'server_id_required').describe('Id or slug of the server'),
    sourceId: z.string().min(1).optional().describe('Id of the only source to index'),
  }),
  output: z.object({
    started: z.literal(true).describe('Always `true`'),
    queued: z.number().int().describe('Number of sources queued'),
    ...progressFields,
    issuedToken: IssuedTokenSchema.optional().describe('First access token of a server that this request made private'),
  }),
  errors: ['unauthorized', 'server_id_required', 'invalid_input', 'server_not_found', 'source_not_found'],
})

export const crawlOneServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/crawl',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'server',
  tool: {
    name: 'reindex_server',
    title: 'Index a server again',
    description:
      'Fetch and index all sources of a server again, or one of them. Use it after the documentation has changed. Returns at once; then call get_indexing_progress.',
    kind: 'write',
    openWorld: true,
    arguments: { server: 'id', source_id: 'sourceId' },
  },
  summary: 'Index all sources of the server in the path again, or one of them',
  input: z.object({ ...ServerParameterSchema.shape, sourceId: crawlServer.input.shape.sourceId }),
  output: crawlServer.output,
  errors: ['unauthorized', 'invalid_input', 'server_not_found', 'source_not_found'],
})

export const getProgress = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/crawl-next',
  aliases: [{ method: 'POST', path: '/api/mcp/{id}/crawl-next' }],
  auth: 'none',
  resource: 'server',
  tool: {
    name: 'get_indexing_progress',
    title: 'Get the progress of indexing',
    description:
      'Get how far the indexing of a server is. status is crawling while work remains: call again after some seconds (etaSeconds, if known). It is active when the server is ready, and error if no source could be indexed: then get_server has the reasons.',
    kind: 'read',
    arguments: { server: 'id' },
  },
  summary: 'Read the progress of indexing',
  input: ServerParameterSchema,
  output: z.object(progressFields),
  errors: ['server_not_found'],
})

export const crawlOperations = {
  'servers.crawl': crawlServer,
  'servers.crawlOne': crawlOneServer,
  'servers.progress': getProgress,
} as const
