import { rotateSecrets, newKeyText, readKeyFile, toSecretKey, writeKeyFile } from '@docent/server/auth/secret-keys.ts'
import { keyFileOf, loadSecrets } from '@docent/server/config.ts'
import type { Store } from '@docent/server/store/db.ts'
import { lockFolder } from '@docent/server/store/engine/data-folder.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/**
 * `docent secrets rotate`: re-encrypts all credentials. With a key file it generates a new key; with DOCENT_SECRET_KEY
 * it uses the first of the listed keys.
 */
export async function rotateSecretKey(terminal: Terminal): Promise<number> {
  const { secretKeys } = loadSecrets(terminal.environment)
  return withStore(terminal, async (store, config) => {
    const keyFile = keyFileOf(config)
    // A running service has the old key in memory and could not decrypt the credentials any more.
    using _lock = keyFile === null ? null : lockFolder(config.dataDir)
    const rotated =
      secretKeys.length > 0 ? await rotateSecrets(store, secretKeys.map(toSecretKey)) : await rotateFile(store, keyFile)
    terminal.err(
      `${rotated} credential${rotated === 1 ? ' is' : 's are'} encrypted with the new key now.${
        secretKeys.length > 0 ? ' The old keys can be taken out of DOCENT_SECRET_KEY.' : ''
      }\n`,
    )
    return EXIT.ok
  })
}

/** The file keeps both keys until everything is re-encrypted, so a crash in between loses nothing. */
async function rotateFile(store: Store, keyFile: string | null): Promise<number> {
  const old = keyFile === null ? null : readKeyFile(keyFile)
  if (keyFile === null || !old) {
    throw new CommandError(
      'There is no key file to make a new key for. Set DOCENT_SECRET_KEY to the new key and the old one, separated by a space.',
    )
  }
  const next = newKeyText()
  writeKeyFile(keyFile, [next, ...old])
  const rotated = await rotateSecrets(store, [next, ...old].map(toSecretKey))
  writeKeyFile(keyFile, [next])
  return rotated
}
