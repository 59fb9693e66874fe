import { addManyServers } from './many-servers.ts'
import { cpuMs } from '#service/read-process.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'

const SERVERS = 20
const WARM_UP = 500
const REQUESTS = 1_500

/**
 * CPU time of the service for a list of twenty servers: by REST, and by the tool `list_servers` of the account-level MCP
 * endpoint. `above` is the difference, in milliseconds as well.
 */
export async function costOfAccountEndpoint() {
  await using service = await startService({ prepare: (dataDir) => addManyServers(dataDir, SERVERS) })
  const rest = await cpuOf(service, () => ask(service, 'GET', '/api/mcp/list'))
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_servers', arguments: {} } }
  const mcp = await cpuOf(service, () => ask(service, 'POST', '/api/headless/mcp', call))
  return { rest, mcp, above: Math.round((mcp - rest) * 1_000) / 1_000 }
}

async function cpuOf({ pid }: ServiceProcess, work: () => Promise<void>): Promise<number> {
  for (let n = 0; n < WARM_UP; n++) await work()
  const before = cpuMs(pid)
  for (let n = 0; n < REQUESTS; n++) await work()
  return Math.round(((cpuMs(pid) - before) / REQUESTS) * 1_000) / 1_000
}

async function ask({ url, key }: ServiceProcess, method: string, path: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const text = await response.text()
  if (!response.ok || !text.includes('server-7')) throw new Error(`${method} ${path}: ${response.status} ${text}`)
}
