import type { Passage, PassageCode, SearchRequest, SearchResult } from '#search/passage.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { createLibrary } from '#documents/library.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { CallRecord } from '#mcp/dispatch/endpoint.ts'
import { createKnownClients } from '#mcp/dispatch/known-clients.ts'
import { createHostedEndpoints, type McpDeps } from '#mcp/hosted/hosted-endpoints.ts'
import { listResources } from '#mcp/pages/list-resources.ts'
import { readResource } from '#mcp/pages/read-resource.ts'
import { serialiseResult } from '#mcp/definition/tool-result.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { toolFor } from '#mcp/tools/tools.ts'
import type { Caller, McpRequest, McpResponse } from '#mcp/protocol/message.ts'
import { type AnyRequest, answerMcp } from './serve-mcp.ts'

type Overrides = {
  /** Segments of the listed resources. */
  parts?: () => Promise<SourceSegment[]>
  deps?: Partial<McpDeps>
  context?: Partial<ToolContext>
  server?: Partial<ServedServer>
}

/** A hosted server without store, index, network or threads. Records its calls. */
export function fakeMcp(overrides: Overrides = {}) {
  const calls: CallRecord[] = []
  const searches: SearchRequest[] = []
  const callers: [Caller, number][] = []
  const failures: unknown[] = []
  const server: ServedServer = {
    id: 'srv_fake',
    accountId: 'acc_fake',
    plan: 'unlimited',
    slug: 'widgets',
    name: 'Widget handbook',
    description: null,
    visibility: 'public',
    tools: ['search_docs', 'get_code_examples', 'ask_question'],
    structuredOutput: false,
    sources: [
      {
        id: 'src_one',
        url: 'https://widgets.example/docs/',
        type: 'docs',
        label: 'Handbook',
        crawlStatus: 'complete',
        pagesFound: 1_200,
        pagesIndexed: 1_200,
        segments: ['seg_one'],
      },
    ],
    ...overrides.server,
  }
  const context: ToolContext = {
    server,
    search: async (request) => {
      searches.push(request)
      return { passages: [fakePassage()], nextOffset: null, repaired: [], words: [], agreement: 1, embeddings: 'off' }
    },
    model: null,
    library: createLibrary({
      parts: async () => [],
      texts: async () => new Map(),
      catalogueOf: async () => Promise.reject(new Error('There are no segments')),
    })(server),
    connectRemote: async ({ url }) => {
      throw new Error(`Nothing is connected to ${url}`)
    },
    reportFailure: (error) => failures.push(error),
    ...overrides.context,
  }
  const deps: McpDeps = {
    version: '1.2.3',
    origins: { own: 'https://docent.example', allowed: ['https://friend.example'] },
    docsUrl: 'https://docent.example/docs/access-tokens',
    challenge: null,
    verifyAccessToken: async (_id, bearer) => (bearer === null ? 'missing_token' : 'invalid_token'),
    noteConnection: () => undefined,
    takeRequests: async (_server, caller, count) => {
      callers.push([caller, count])
      return 'ok'
    },
    takeCall: async () => 'ok',
    tools: {
      isFull: () => false,
      async call(_server, { tool, args, form }, { signal, report } = {}) {
        const run = toolFor(tool, server.sources)?.prepare(args)
        if (run === undefined) throw new Error(`There is no tool ${tool}`)
        return serialiseResult(await run(report ? { ...context, report } : context, signal), form)
      },
      async run(_server, kind, input) {
        const { cursor, uri = '' } = input as { cursor?: string; uri?: string }
        if (kind === 'page') return readResource(context, uri)
        return listResources(server, (await overrides.parts?.()) ?? [], cursor)
      },
    },
    clients: createKnownClients({ clock: () => 0 }),
    recordCall: (_server, call) => calls.push(call),
    reportFailure: (error) => failures.push(error),
    ...overrides.deps,
  }
  const endpointOf = createHostedEndpoints(deps)
  // Tests change the server first.
  const handle = (request: AnyRequest) => answerMcp(endpointOf(server), request)
  const send = (request: Partial<AnyRequest>) =>
    handle({ method: 'POST', headers: new Headers(), body: '', address: '192.0.2.1', ...request })
  const open = () => endpointOf(server)
  return { server, deps, open, handle, send, calls, searches, callers, failures }
}

type FakePassage = Partial<Omit<Passage, 'blocks' | 'code' | 'headings'>> & { code?: Omit<PassageCode, 'start'>[] }

/** A passage. Its code is at the first place with the same text, or else after the end. */
export function fakePassage({
  code = [],
  passage = 'Oil every sprocket twice a year.',
  heading = 'Oiling',
  ...fields
}: FakePassage = {}): Passage {
  const placeOf = (text: string) => (passage.includes(text) ? passage.indexOf(text) : passage.length)
  return {
    blocks: markdownBlocks(passage),
    rank: 1,
    score: 12.5,
    title: 'Sprockets',
    heading,
    headings: heading === '' ? [] : heading.split(' › '),
    url: 'https://widgets.example/docs/sprockets#oiling',
    sourceId: 'src_one',
    type: 'docs',
    turns: [],
    start: 0,
    passage,
    code: code.map((block) => ({ ...block, start: placeOf(block.text) })),
    ...fields,
  }
}

export function found(...passages: FakePassage[]): SearchResult {
  return {
    passages: passages.map((passage, index) => fakePassage({ rank: index + 1, ...passage })),
    nextOffset: null,
    repaired: [],
    words: [],
    agreement: 1,
    embeddings: 'off',
  }
}

type Params = Record<string, unknown>

/** A request of the protocol revisions with a handshake. */
export function legacy(method: string, params?: Params, headers: Record<string, string> = {}) {
  return { headers: new Headers(headers), body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }) }
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '9' },
}

/** A request of the stateless revision with its headers; `headers` override or (null) remove them. */
export function modern(method: string, params: Params = {}, headers: Record<string, string | null> = {}) {
  const all = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...mcpName(params['name'] ?? params['uri']),
    ...headers,
  }
  const sent = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  )
  return {
    headers: new Headers(sent),
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { _meta: MODERN_META, ...params } }),
  }
}

function mcpName(name: unknown): Record<string, string> {
  return typeof name === 'string' ? { 'Mcp-Name': name } : {}
}

/** The parsed body of a response, for matchers. */
export function jsonOf({ body }: McpResponse): unknown {
  return JSON.parse(body === null ? 'null' : Buffer.from(body).toString())
}

/** A search, as the parameters of `tools/call`. */
export const searchParams = { name: 'search_docs', arguments: { query: 'oil' } }

type Requesting = (method: string, params: Record<string, unknown>) => Partial<McpRequest>

/** The members of a result with the types of their items, and the listed tools that declare an output schema. */
export async function membersOf(send: ReturnType<typeof fakeMcp>['send'], request: Requesting) {
  const { result } = jsonOf(await send(request('tools/call', searchParams))) as any
  const { result: listed } = jsonOf(await send(request('tools/list', {}))) as any
  return {
    result: Object.keys(result).filter((name) => /content/i.test(name)),
    kinds: result.content.map(({ type }: { type: string }) => type),
    declares: listed.tools.map((tool: object) => 'outputSchema' in tool),
  }
}
