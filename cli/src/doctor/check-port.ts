import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '@docent/server/config.ts'
import { type Finding, ok, problem, sentenceOf } from './finding.ts'

const CHECK = 'Port'
/** A busy service answers within a second. */
const ANSWER_MS = 5_000

/** Checks that the service answers at its address, or that the address is free. */
export async function checkPort({ host, port, role }: Config): Promise<Finding> {
  if (role === 'worker') return ok(CHECK, 'a worker listens on no port')
  if (port === 0) return ok(CHECK, 'any free port')
  const at = `${host}:${port}`
  const status = await readStatus(host, port)
  if (status === 200) return ok(CHECK, `the service answers at ${at}`)
  if (status === 503)
    return problem(CHECK, `The service at ${at} does not reach its database.`, 'See the finding about the database.')
  if (status !== null)
    return problem(CHECK, `Another program answers at ${at}.`, 'Stop it, or give another port with DOCENT_PORT.')
  try {
    await using server = createServer().listen(port, host)
    await once(server, 'listening')
    return ok(CHECK, `${at} is free; no service answers there`)
  } catch (error) {
    return problem(
      CHECK,
      `${at} cannot be used (${sentenceOf(error)}).`,
      'Give another with DOCENT_PORT and DOCENT_HOST.',
    )
  }
}

/** Status of `/readyz`; 404 for a program that is not Docent; null if nobody answers HTTP. */
async function readStatus(host: string, port: number): Promise<number | null> {
  const name =
    host === '0.0.0.0' || host === '::' || host === '' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${name}:${port}/readyz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'manual',
    })
    const text = await response.text()
    return text.includes('"status"') ? response.status : 404
  } catch {
    // Whether the port is free is tested next.
    return null
  }
}
