import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '@docent/server/config.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/open.ts'
import { CommandError } from './command-error.ts'

type Options = {
  /** Makes the database where there is none yet, as for a first account. */
  mayMake?: boolean
}

/**
 * Does something on the configured database, beside a service that may be running on it. Throws `CommandError` where there
 * is none: whoever looks for an account has mistaken the folder.
 */
export async function withStore<T>(
  work: (store: Store, config: Config) => Promise<T>,
  { mayMake = false }: Options = {},
): Promise<T> {
  const config = loadConfig()
  if (!mayMake && config.database.engine === 'sqlite' && !existsSync(config.database.path)) {
    throw new CommandError(
      `There is no database of Docent in ${config.dataDir}. Set DOCENT_DATA_DIR to the data folder of the service, or run the command in the folder that the service was started in.`,
    )
  }
  // What goes wrong is thrown by the query that it goes wrong with.
  await using store = await openStore({ database: config.database, onError: () => {} })
  return await work(store, config)
}
