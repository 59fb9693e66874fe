import type { operations } from '@docent/contract/operations'
import { CommandError } from '../command-error.ts'

type Output<Id extends keyof typeof operations> = (typeof operations)[Id]['output']['_output']
export type Created = Output<'servers.create'>
export type ServerDetail = Output<'servers.get'>
export type Source = ServerDetail['sources'][number]
export type Progress = Output<'servers.progress'>

export type DocentApi = {
  createServer(input: { name: string; sources: { url: string }[] }): Promise<Created>
  getServer(id: string): Promise<ServerDetail>
  getProgress(id: string): Promise<Progress>
  /** Calls a tool at the server's own endpoint, as a client does, and returns its structured content. */
  callTool<Structured>(slug: string, name: string, args: object, signal?: AbortSignal): Promise<Structured>
}

/** The service refused a request, in its own words. */
export class Refusal extends CommandError {
  override name = 'Refusal'
}

/** The management interface and the MCP endpoints of the service at `url`. Throws `Refusal`. */
export function connectApi({ url, key }: { url: string; key: string }): DocentApi {
  async function request(method: string, path: string, body?: unknown, more: RequestInit = {}): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...more,
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Refusal(sentenceOf(answer as ErrorBody))
    return answer
  }

  return {
    createServer: (input) => request('POST', '/api/mcp/create', input) as Promise<Created>,
    getServer: (id) => request('GET', `/api/mcp/${id}`) as Promise<ServerDetail>,
    getProgress: (id) => request('GET', `/api/mcp/${id}/crawl-next`) as Promise<Progress>,
    async callTool<Structured>(slug: string, name: string, args: object, signal?: AbortSignal) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      const reply = (await request('POST', `/api/mcp/${slug}`, message, signal ? { signal } : {})) as ToolReply
      if (reply.error || !reply.result || reply.result.isError) {
        throw new CommandError(reply.error?.message ?? reply.result?.content?.[0]?.text ?? 'The tool failed.')
      }
      return reply.result.structuredContent as Structured
    },
  }
}

type ErrorBody = { error: string; message?: string }

const sentenceOf = ({ error, message }: ErrorBody): string => message ?? error

type ToolReply = {
  error?: { message: string }
  result?: { isError?: boolean; content?: { text?: string }[]; structuredContent?: unknown }
}
