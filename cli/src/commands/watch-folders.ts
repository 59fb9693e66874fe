import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret } from '@docent/server/auth/secret.ts'
import { newId } from '@docent/server/lib/ids.ts'
import type { Store } from '@docent/server/store/db.ts'
import { insertApiKey, listApiKeyRows, markApiKeyRevoked } from '@docent/server/store/accounts/keys.ts'
import { findAnyServer } from '@docent/server/store/servers/servers.ts'
import { keepSent } from '../local/keep-sent.ts'
import type { Terminal } from '../terminal.ts'
import { connectApi } from '../try/docent-api.ts'
import { withStore } from '../with-store.ts'

export type WatchedFolder = { server: string; path: string }

/** Name of the keys with which the service sends folders to itself. */
const KEY_NAME = 'DOCENT_WATCH'

/** Pause while a server does not exist: the first start of a service has none. */
const RETRY_MS = 2_000

/**
 * Keeps folders as sources of servers of the service at `url` until the signal aborts. A folder that cannot be watched
 * is reported, and ends nothing else.
 */
export async function watchFolders(
  terminal: Terminal,
  { url, folders }: { url: string; folders: readonly WatchedFolder[] },
  signal: AbortSignal,
): Promise<void> {
  const tell = (problem: string) => terminal.err(`DOCENT_WATCH: ${problem}\n`)
  const keep = async ({ server, path }: WatchedFolder): Promise<void> => {
    const make = () => withStore(terminal, (store) => makeKey(store, server), { migrates: false })
    let made = await make()
    if (made === null) tell(`There is no server ${server} yet. Its folder is sent once it exists.`)
    for (; made === null; made = await make()) await sleep(RETRY_MS, undefined, { signal })
    const api = connectApi({ url, key: made.key })
    const send = async (upload: Parameters<typeof api.upload>[1]) => void (await api.upload(server, upload))
    try {
      await keepSent({ path, from: terminal.folder, send, onProblem: tell }, signal)
    } finally {
      await withStore(terminal, (store) => markApiKeyRevoked(store.write, made.id, store.clock()), { migrates: false })
    }
  }
  // A rejection would end the service.
  await Promise.all(
    folders.map((folder) => keep(folder).catch((error: Error) => signal.aborted || tell(error.message))),
  )
}

/** A key for one server, in place of those that an earlier process has left. Null if there is no such server. */
async function makeKey(store: Store, idOrSlug: string): Promise<{ id: string; key: string } | null> {
  const server = await findAnyServer(store.read, idOrSlug)
  if (!server) return null
  const { accountId } = server
  const serverIds = JSON.stringify([server.id])
  const earlier = (await listApiKeyRows(store.read, accountId)).filter((key) => {
    return key.name === KEY_NAME && key.serverIds === serverIds
  })
  for (const key of earlier) await markApiKeyRevoked(store.write, key.id, store.clock())
  const { plaintext, hash, last4 } = newSecret('dk_live_')
  const id = newId('key')
  const unused = { lastUsedAt: null, revokedAt: null, scopes: null, personId: null, forAssistant: 0 }
  const key = { id, accountId, name: KEY_NAME, hash, last4, serverIds }
  await insertApiKey(store.write, { ...key, ...unused, createdAt: store.clock() })
  return { id, key: plaintext }
}
