import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RemoteMcp = AsyncDisposable & {
  url: string
  /** The required header in lower case and its value; null admits everybody. */
  lock: { header: string; value: string } | null
  /** Replaces the MCP server's answers. */
  misbehave: ((request: IncomingMessage, response: ServerResponse) => void) | null
  /** Headers of every request. */
  seen: IncomingMessage['headers'][]
  /** The required query of the address; null admits everybody. */
  query: string | null
}

type Options = {
  instructions?: string
  /** Replaces the default tools. */
  register?: (server: McpServer) => void
}

/** A remote MCP server on loopback with the tools `alpha` and `beta`, of the first-generation official SDK. */
export async function startRemoteMcp({ instructions, register = alphaAndBeta }: Options = {}): Promise<RemoteMcp> {
  const http = createServer((request, response) => {
    remote.seen.push(request.headers)
    const { lock, misbehave, query } = remote
    if (misbehave) return misbehave(request, response)
    if (query !== null && !request.url?.endsWith(`?${query}`)) {
      return void response.writeHead(401).end(`No entry with ${request.url}`)
    }
    if (lock && request.headers[lock.header] !== lock.value) {
      // Echoes what was sent, as careless servers do.
      return void response.writeHead(401).end(`No entry with ${JSON.stringify(request.headers)}`)
    }
    answer({ instructions, register }, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const remote: RemoteMcp = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    lock: null,
    query: null,
    misbehave: null,
    seen: [],
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return remote
}

function alphaAndBeta(server: McpServer): void {
  for (const name of ['alpha', 'beta']) {
    server.registerTool(name, { description: name }, () => ({ content: [{ type: 'text', text: name }] }))
  }
}

/** Stateless: each request gets a server and a transport. */
async function answer(
  { instructions, register }: { instructions: string | undefined; register: (server: McpServer) => void },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const server = new McpServer(
    { name: 'remote', title: 'Remote gadgets', version: '1.0.0' },
    instructions === undefined ? {} : { instructions },
  )
  register(server)
  const transport = new StreamableHTTPServerTransport({})
  response.on('close', () => void transport.close())
  await server.connect(transport)
  await transport.handleRequest(request, response)
}
