import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createAccount, createKey } from '#auth/accounts.ts'
import { openStore } from '#store/engine/open.ts'
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../../../scripts/launch/service-flags.mjs'
import { COMPILED_CODE } from '../../../../cli/src/spawn-cli.ts'
import type { Place } from '../database/engines.ts'

/** Creates an account without limits at a place, and returns a key of it. */
export async function makeOwner({ database }: Pick<Place, 'database'>): Promise<string> {
  await using store = await openStore({ database, onError: () => {} })
  await createAccount(store, { email: 'owner@example.test', password: null, plan: 'unlimited' })
  return await createKey(store, { email: 'owner@example.test', name: 'Test' })
}

export const CLI = resolve(import.meta.dirname, '../../../../dist/server/docent.mjs')

export type ServiceProcess = AsyncDisposable & {
  url: string
  pid: number
  /** Its whole log, when the environment raises the log level. */
  logged(): string
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the service as a separate process and resolves when it is ready. It can be killed. `program`: Node's arguments. */
export async function spawnService(
  environment: Record<string, string>,
  onLog: (piece: string) => void = () => {},
  program: readonly string[] = [...SERVICE_FLAGS, CLI],
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...program, 'serve'], {
    env: {
      ...SERVICE_ENVIRONMENT,
      ...COMPILED_CODE,
      PATH: process.env['PATH'],
      DOCENT_PORT: '0',
      DOCENT_LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'DOCENT_LOG_LEVEL' in environment ? 'pipe' : 'inherit'],
  })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    log += piece
    onLog(piece)
  })
  const url = await readyUrl(child)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    child.kill(signal)
    await once(child, 'exit')
    return child.exitCode
  }
  return {
    url,
    pid: child.pid ?? 0,
    logged: () => log,
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let said = ''
  for await (const part of child.stdout ?? []) {
    said += String(part)
    const url = /Docent ready on (http:\S+)\n/.exec(said)?.[1]
    if (url) return url
  }
  throw new Error(`The service ended before it was ready: ${said}`)
}
