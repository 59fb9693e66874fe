import { type Config, loadConfig } from '@docent/server/config.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/open.ts'
import type { Terminal } from './terminal.ts'

/** Does something on the configured database, beside a service that may be running on it. */
export async function withStore<T>({ err }: Terminal, work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  await using store = await openStore({
    database: config.database,
    onError: (error) => err(`A connection to the database broke: ${error.message}\n`),
  })
  return await work(store, config)
}
