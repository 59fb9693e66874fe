import { statSync } from 'node:fs'
import { lockFolder } from '@docent/server/store/engine/data-folder.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent database compact`: rewrites the SQLite file without its free pages. Later, the service frees them itself. */
export async function compactDatabase(terminal: Terminal): Promise<number> {
  return withStore(terminal, async (store, { dataDir, database }) => {
    if (database.engine !== 'sqlite')
      throw new CommandError('PostgreSQL gives space back itself. Its command VACUUM FULL rewrites the tables.')
    using _lock = lockFolder(dataDir)
    const size = () => `${Math.round(statSync(database.path).size / 1_000).toLocaleString('en')} kB`
    const before = size()
    await store.releaseSpace({ whole: true })
    await store.scrub()
    terminal.out(`The database had ${before} and has ${size()} now.\n`)
    return EXIT.ok
  })
}
