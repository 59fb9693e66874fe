import { createServer, type IncomingMessage } from 'node:http'
import { dispatch } from '#mcp/dispatch/dispatch.ts'
import { type Endpoint, preflight } from '#mcp/dispatch/endpoint.ts'
import type { McpRequest, McpResponse } from '#mcp/protocol/message.ts'

/** An HTTP request of any method. */
export type AnyRequest = McpRequest & { method: string }

/** Answers a request to an endpoint as the service does, without its HTTP server. */
export async function answerMcp(endpoint: Endpoint, request: AnyRequest): Promise<McpResponse> {
  return preflight(endpoint.origins, request) ?? dispatch(endpoint, request)
}

/** Serves an MCP endpoint on a loopback socket at any path, without the rest of the service. */
export async function serveMcp(handle: (request: AnyRequest) => Promise<McpResponse>) {
  const http = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then(handle)
      .then(
        async ({ status, headers, body, stream }) => {
          outgoing.writeHead(status, headers)
          for await (const part of stream ?? []) outgoing.write(part)
          outgoing.end(body ?? undefined)
        },
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

async function readRequest(incoming: IncomingMessage): Promise<AnyRequest> {
  const body = Buffer.concat(await Array.fromAsync(incoming)).toString()
  const headers = new Headers(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  )
  return { method: incoming.method ?? 'GET', headers, body, address: incoming.socket.remoteAddress ?? '' }
}
