import { createServer, type IncomingMessage } from 'node:http'
import type { McpRequest, McpResponse } from '#mcp/request.ts'

/** Serves an MCP endpoint on a loopback socket at any path, without the rest of the service. */
export async function serveMcp(handle: (request: McpRequest) => Promise<McpResponse>) {
  const http = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then(handle)
      .then(
        ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body ?? undefined),
        (error: unknown) => outgoing.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<McpRequest> {
  const body = Buffer.concat(await Array.fromAsync(incoming))
  const headers = new Headers(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  )
  return { method: incoming.method ?? 'GET', headers, body, address: incoming.socket.remoteAddress ?? '' }
}
