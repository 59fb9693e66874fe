import { parseArgs } from 'node:util'
import { dispatch } from '@docent/server/mcp/dispatch/dispatch.ts'
import { listTools, type Endpoint } from '@docent/server/mcp/dispatch/endpoint.ts'
import { READ_ONLY, type Tool } from '@docent/server/mcp/definition/tool.ts'
import { TOOLS } from '@docent/server/mcp/tools/tools.ts'
import { bindTool } from '../../../server/test/support/mcp/bind-tool.ts'
import { OPEN_HOOKS } from '../../../server/test/support/mcp/open-hooks.ts'

/** Sent by every client. */
const COMMON = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'user-agent': 'bench/1',
}

/** Rounds before the measurement, so that the code is compiled. */
const WARM_UP = 5_000

/**
 * Cost of the dispatcher alone: CPU microseconds for each kind of request in both eras, on an endpoint with the real
 * tools' schemas and a tool that does nothing. Times `--rounds N` requests of each kind (default 20,000).
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '20000' } } })
  const rounds = Number(values.rounds)
  const figures: Record<string, unknown> = { rounds }
  for (const [name, request] of Object.entries(REQUESTS)) {
    await repeat(request, WARM_UP)
    const before = process.cpuUsage()
    await repeat(request, rounds)
    const { user, system } = process.cpuUsage(before)
    figures[`${name}CpuMicros`] = Number(((user + system) / rounds).toFixed(2))
  }
  return figures
}

async function repeat({ headers, body }: { headers: Headers; body: string }, times: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    const { status } = await dispatch(endpoint, { headers, body, address: '127.0.0.1' })
    if (status !== 200) throw new Error(`The request was answered with ${status}: ${body}`)
    // The call log is written between requests, as in production.
    if (round % 100 === 0) await new Promise(setImmediate)
  }
}

const nothing: Tool<undefined> = {
  listed: {
    name: 'nothing',
    title: 'Nothing',
    description: '',
    inputSchema: { type: 'object' },
    annotations: READ_ONLY,
  },
  prepare: () => async () => ({ content: [{ type: 'text', text: '' }], outcome: 'answered' }),
}

const tools = [...Object.values(TOOLS).map(({ listed }) => ({ ...nothing, listed })), nothing].map((tool) =>
  bindTool(tool, undefined),
)

const lists: { plain?: Uint8Array; structured?: Uint8Array } = {}

const endpoint: Endpoint = {
  info: { name: 'bench', title: 'Bench', version: '1' },
  instructions: 'Nothing to see here.',
  visibility: 'public',
  tools,
  listTools: (form) => (lists[form.structured ? 'structured' : 'plain'] ??= listTools(tools, form)),
  structuredOutput: false,
  legacyFailures: 'error',
  origins: { own: 'http://127.0.0.1', allowed: [] },
  hooks: OPEN_HOOKS,
}

const REQUESTS = {
  initialize: legacy('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'b', version: '1' },
  }),
  list: legacy('tools/list', {}),
  call: legacy('tools/call', { name: 'nothing', arguments: {} }),
  modernDiscover: modern('server/discover', {}),
  modernList: modern('tools/list', {}),
  modernCall: modern('tools/call', { name: 'nothing', arguments: {} }),
}

function legacy(method: string, params: object) {
  const headers = { ...COMMON, 'mcp-protocol-version': '2025-06-18' }
  return { headers: new Headers(headers), body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }
}

function modern(method: string, params: { name?: string; arguments?: object }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'b', version: '1' },
  }
  const name = params.name === undefined ? {} : { 'mcp-name': params.name }
  const headers = { ...COMMON, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name }
  return {
    headers: new Headers(headers),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } }),
  }
}
