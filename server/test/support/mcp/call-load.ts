/** A call that a client saw end with an answer. */
export type SeenCall = { client: string; tool: string; ok: boolean; answeredAt: number }

/** The calls from the side of the clients: every answered call, and the number without an answer. */
export type SeenCalls = { answered: readonly SeenCall[]; unanswered: number }

export type CallLoad = SeenCalls & {
  /** Resolves when every client has made its calls, or has lost the service. */
  ended: Promise<void>
}

const TOOLS = ['search_docs', 'search_docs', 'search_docs', 'ask_question', 'get_code_examples'] as const
const FIELD = { search_docs: 'query', ask_question: 'question', get_code_examples: 'task' }
/** One call in this many has wrong arguments and fails. */
const FAILED = 17

/**
 * Calls tools of a server as several clients at once, each in a loop over kept connections. A client stops when it has
 * made its share of the calls, or when a request fails because the service is gone.
 */
export function startCallLoad(endpoint: string, { clients, calls }: { clients: number; calls: number }): CallLoad {
  const load = { answered: [] as SeenCall[], unanswered: 0 }
  const run = async (client: number) => {
    const share = Math.floor((calls + client) / clients)
    for (let n = 0; n < share; n++) {
      try {
        load.answered.push(await call(endpoint, `client-${client}`, n))
      } catch (error) {
        // The error of fetch, when the service was killed.
        if (!(error instanceof TypeError)) throw error
        load.unanswered += 1
        return
      }
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, client) => run(client))).then(() => {})
  return Object.assign(load, { ended })
}

async function call(endpoint: string, client: string, n: number): Promise<SeenCall> {
  const tool = TOOLS[n % TOOLS.length] ?? TOOLS[0]
  const args = n % FAILED === FAILED - 1 ? {} : { [FIELD[tool]]: `welcome to place ${n % 40}` }
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': `${client}/1` },
    body: JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: tool, arguments: args } }),
  })
  const { error } = (await response.json()) as { error?: unknown }
  if (response.status !== 200) throw new Error(`The service answered a call with ${response.status}.`)
  return { client, tool, ok: error === undefined, answeredAt: performance.now() }
}

export type Counts = Record<string, { calls: number; failed: number }>

/** Counts by client or tool. */
export function countSeen(answered: readonly SeenCall[], by: 'client' | 'tool'): Counts {
  const counts: Counts = {}
  for (const seen of answered) {
    const count = (counts[seen[by]] ??= { calls: 0, failed: 0 })
    count.calls += 1
    count.failed += seen.ok ? 0 : 1
  }
  return counts
}

/** The counts of the service, as its owner reads them. */
export async function readCounts(url: string, key: string, server: string, by: 'client' | 'tool'): Promise<Counts> {
  const response = await fetch(`${url}/api/analytics/${server}/series?range=7d&by=${by}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { groups } = (await response.json()) as { groups: { name: string; calls: number; failed: number }[] }
  return Object.fromEntries(groups.map(({ name, calls, failed }) => [name, { calls, failed }]))
}
