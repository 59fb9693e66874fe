import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { outcomeOf as get } from '../support/processes/outcome-of.ts'
import { makeOwner, spawnService } from '../support/service/service-process.ts'

const REFUSED = 'ECONNREFUSED'
const RESET = 'ECONNRESET'
/** Rounds that a busy machine may spoil: a client held up for longer than the grace period comes too late. */
const ROUNDS = 5

const run = promisify(execFile)
const CLIENTS = join(import.meta.dirname, '../support/processes/new-connections.ts')

onSqliteAtLeast('service that is asked to stop', (engine) => {
  async function start() {
    await using stack = new AsyncDisposableStack()
    const place = stack.use(await makePlace(engine))
    const key = await makeOwner(place)
    const environment = {
      DOCENT_DATA_DIR: place.dataDir,
      ...(place.database.engine === 'postgres' ? { DATABASE_URL: place.database.url } : {}),
    }
    const service = stack.use(await spawnService(environment))
    const kept = stack.move()
    return { service, key, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  }

  test('exits with idle connections, and after the last word of an event stream', async () => {
    await using started = await start()
    const { service, key } = started
    const agent = new Agent({ keepAlive: true })
    expect(await get(`${service.url}/healthz`, agent)).toBe('200')
    const fresh = connect(Number(new URL(service.url).port), '127.0.0.1')
    await once(fresh, 'connect')
    const events = await fetch(`${service.url}/api/events`, { headers: { authorization: `Bearer ${key}` } })
    let text = ''
    const reading = (async () => {
      for await (const part of events.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
    })()
    await expect.poll(() => text).toContain('event: heartbeat\n')
    expect(await service.end('SIGTERM')).toBe(0)
    await reading
    expect(text).toMatch(/event: heartbeat\n[^]*\n: the service is stopping\n\n$/)
    fresh.destroy()
    agent.destroy()
  })

  test('answers every client that connects, or refuses it, and resets none', async () => {
    let resets = await countResets()
    for (let round = 1; round < ROUNDS && resets > 0; round++) resets = await countResets()
    expect(resets).toBe(0)
  })

  /** Clients in other processes: more connect at once than those of one thread. */
  async function countResets(): Promise<number> {
    await using started = await start()
    const { service } = started
    const clients = [1, 2, 3].map(() => run(process.execPath, [CLIENTS, `${service.url}/healthz`, '24']))
    // They say so when they have had some answers.
    await Promise.all(clients.map(({ child }) => once(child.stderr ?? child, 'data')))
    expect(await service.end('SIGTERM')).toBe(0)
    const outcomes = (await Promise.all(clients)).map(({ stdout }) => JSON.parse(stdout) as Record<string, number>)
    const others = (each: object) => Object.keys(each).filter((outcome) => outcome !== RESET)
    for (const each of outcomes) expect(others(each).toSorted()).toEqual(['200', REFUSED])
    return outcomes.reduce((sum, each) => sum + (each[RESET] ?? 0), 0)
  }

  test('answers one more request on used connections with Connection: close', async () => {
    let outcomes = await endWhileUsed()
    for (let round = 1; round < ROUNDS && outcomes.has(RESET); round++) outcomes = await endWhileUsed()
    expect([...outcomes]).toContain('200')
    expect([...outcomes].filter((outcome) => outcome !== '200' && outcome !== REFUSED)).toEqual([])
  })

  async function endWhileUsed(): Promise<Set<string>> {
    await using started = await start()
    const { service } = started
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const outcomes = new Set<string>()
    const over = new AbortController()
    const client = async (agent: Agent) => {
      while (!over.signal.aborted) {
        const outcome = await get(`${service.url}/healthz`, agent)
        outcomes.add(outcome)
        if (outcome !== '200') return
        await sleep(20)
      }
    }
    const clients = agents.map(client)
    await sleep(300)
    expect(await service.end('SIGTERM')).toBe(0)
    over.abort()
    await Promise.all(clients)
    for (const agent of agents) agent.destroy()
    return outcomes
  }
})
