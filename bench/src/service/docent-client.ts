import type { operations } from '@docent/contract/operations'
import { readCitations } from '@docent/server/mcp/passages/read-citations.ts'
import type { ServiceProcess } from './start-service.ts'

type Output<Id extends keyof typeof operations> = (typeof operations)[Id]['output']['_output']
export type ServerDetail = Output<'servers.get'>

export type SearchAnswer = {
  /** Bytes of the text that a reader gets. */
  textBytes: number
  results: { url: string }[]
}

export type DocentClient = {
  createServer(site: string): Promise<Output<'servers.create'>>
  getServer(id: string): Promise<ServerDetail>
  getProgress(id: string): Promise<Output<'servers.progress'>>
  refresh(serverId: string): Promise<void>
  search(slug: string, query: string, limit?: number): Promise<SearchAnswer>
}

/** Client of the measured service over HTTP. Throws for every answer that is not a success. */
export function connect({ url, key }: Pick<ServiceProcess, 'url' | 'key'>): DocentClient {
  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...MCP_HEADERS },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    createServer: (site) =>
      request('POST', '/api/mcp/create', { name: 'bench', sources: [{ url: site }] }) as Promise<
        Output<'servers.create'>
      >,
    getServer: (id) => request('GET', `/api/mcp/${id}`) as Promise<ServerDetail>,
    getProgress: (id) => request('GET', `/api/mcp/${id}/crawl-next`) as Promise<Output<'servers.progress'>>,
    refresh: async (serverId) => void (await request('POST', '/api/mcp/crawl', { serverId })),
    async search(slug, query, limit = 5) {
      const reply = (await request('POST', `/api/mcp/${slug}`, searchCall(query, limit))) as SearchReply
      if (!reply.result || reply.result.isError) throw new Error(`search_docs failed: ${JSON.stringify(reply)}`)
      const text = reply.result.content.map((item) => item.text ?? '').join('\n')
      return { textBytes: Buffer.byteLength(text), results: readCitations(text).passages }
    },
  }
}

type SearchReply = {
  result?: { content: { text?: string }[]; isError?: boolean }
}

/** Headers of a client of the revision 2025-06-18. */
export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
}

/** One JSON-RPC message that calls `search_docs`. */
export function searchCall(query: string, limit: number): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_docs', arguments: { query, limit } } }
}
