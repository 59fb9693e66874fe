/**
 * A closed loop of clients on one MCP endpoint, in a separate process: each sends its next search after its last
 * answer. Takes `Load` as JSON in its only argument, prints `LoadResult` as JSON.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MCP_HEADERS, searchCall } from '#service/docent-client.ts'
import type { Load, LoadResult } from './drive-load.ts'
import { cpuMs } from '#service/read-process.ts'

process.stdout.write(JSON.stringify(await drive(JSON.parse(process.argv[2] ?? '{}') as Load)))

async function drive({
  urls,
  clients,
  seconds,
  warmSeconds,
  queries,
  isRepeated = false,
  pid,
}: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const latencies: number[] = []
  const state = { errors: 0, next: 0, measuring: false, going: true }
  const client = async () => {
    while (state.going) {
      const at = state.next++
      const url = urls[at % urls.length] ?? ''
      const query = queries[at % queries.length] ?? ''
      // With other white space at its end it is the same search, but not the same call.
      const variant = isRepeated ? '' : at.toString(2).replaceAll('0', ' ').replaceAll('1', '\t')
      const body = JSON.stringify(searchCall(query + variant, 5))
      const started = performance.now()
      const ok = await post(agent, url, body)
      if (!state.measuring) continue
      latencies.push(performance.now() - started)
      if (!ok) state.errors++
    }
  }
  const running = Array.from({ length: clients }, client)
  await sleep(warmSeconds * 1000)
  const [cpu, started] = [cpuMs(pid), performance.now()]
  state.measuring = true
  await sleep(seconds * 1000)
  state.measuring = false
  const [cpuUsed, elapsed] = [cpuMs(pid) - cpu, performance.now() - started]
  state.going = false
  await Promise.all(running)
  agent.destroy()

  latencies.sort((a, b) => a - b)
  const percentile = (part: number) => round(latencies[Math.floor(part * latencies.length)] ?? 0)
  return {
    requests: latencies.length,
    errors: state.errors,
    requestsPerSecond: round((latencies.length * 1000) / elapsed),
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
    cpuMsPerRequest: round(cpuUsed / latencies.length),
  }
}

/** Sends a call; true if the answer is a result without error. */
function post(agent: Agent, url: string, body: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const headers = { ...MCP_HEADERS, 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve(response.statusCode === 200 && text.includes('"result"') && !text.includes('"isError":true'))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
