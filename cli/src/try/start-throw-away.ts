import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount, createKey } from '@docent/server/auth/accounts.ts'
import { type Config, loadConfig, loadSecrets, type Secrets } from '@docent/server/config.ts'
import { ListenError, type Service, startService } from '@docent/server/main.ts'
import type { Terminal } from '../terminal.ts'
import { openStore } from '@docent/server/store/engine/open.ts'

export type ThrowAway = AsyncDisposable & {
  url: string
  /** API key of its only account. */
  key: string
}

const EMAIL = 'try@localhost.localdomain'

/**
 * A service in this process, for this machine only, on a temporary data folder. Uses the configured port, so that a
 * client added once finds later runs too, or a free one if that is taken.
 */
export async function startThrowAway({ environment }: Pick<Terminal, 'environment'>): Promise<ThrowAway> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(environment['TMPDIR'] || tmpdir(), 'docent-try-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const config: Config = {
    ...loadConfig(environment),
    host: '127.0.0.1',
    publicUrl: null,
    dataDir,
    database: { engine: 'sqlite', path: join(dataDir, 'docent.sqlite') },
    role: 'all',
    rateLimits: false,
    // The command reports failures in words for users.
    logLevel: 'silent',
  }
  const key = await makeKey(config)
  const service = await startOnAnyPort(config, loadSecrets(environment))
  stack.defer(() => service.stop())
  const kept = stack.move()
  return { url: service.url ?? '', key, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function makeKey({ database }: Config): Promise<string> {
  await using store = await openStore({
    database,
    onError: (error) => {
      throw error
    },
  })
  await createAccount(store, { email: EMAIL, password: null, plan: 'unlimited' })
  return await createKey(store, { email: EMAIL, name: 'try' })
}

async function startOnAnyPort(config: Config, secrets: Secrets): Promise<Service> {
  try {
    return await startService(config, secrets)
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    return await startService({ ...config, port: 0 }, secrets)
  }
}
