import { hash } from 'node:crypto'
import { stat, watch } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command-error.ts'
import { type LocalUpload, readLocal } from './read-local.ts'

/** Editors and generators write several files at a time. A change must be visible within two seconds. */
const QUIET_MS = 200
/** Pause after a service that does not take the files. */
const RETRY_MS = 5_000

type Watched = {
  /** As given, from the folder `from`. */
  path: string
  from: string
  /** Sends the files, also for the first time. Throws `CommandError`. */
  send: (upload: LocalUpload) => Promise<void>
  /** Is given why changed files could not be read or sent. They are tried again. */
  onProblem: (problem: string) => void
}

/**
 * Sends a file or folder, and again after each change, until the signal aborts. Throws `CommandError` if it cannot be
 * watched, or sent for the first time.
 */
export async function keepSent({ path, from, send, onProblem }: Watched, signal: AbortSignal): Promise<void> {
  const full = resolve(from, path)
  let sent = ''
  const sendChanged = async (): Promise<void> => {
    const [upload] = await readLocal([path], from)
    const digest = upload && hash('sha256', upload.bytes)
    if (!upload || !digest || digest === sent) return
    await send(upload)
    sent = digest
  }
  // Watched before the first reading, so that no change is missed.
  await using changes = await watchPath(full, signal)
  while (!signal.aborted) {
    // Changes during a reading are read after it.
    const changed = changes.next()
    try {
      await sendChanged()
    } catch (error) {
      if (!(error instanceof CommandError) || sent === '') throw error
      onProblem(error.message)
      await Promise.race([changed, sleep(RETRY_MS, undefined, { signal }).catch(() => {})])
      continue
    }
    await changed
    await sleep(QUIET_MS, undefined, { signal }).catch(() => {})
  }
}

/** The next change of a file or of anything in a folder. A file is watched by its folder: editors replace files. */
async function watchPath(full: string, signal: AbortSignal) {
  const ended = new AbortController()
  let changed = Promise.withResolvers<void>()
  let failure: Error | null = null
  const isFolder = (await stat(full).catch(() => null))?.isDirectory() ?? false
  const [folder, only] = isFolder ? [full, null] : [dirname(full), basename(full)]
  const events = watch(folder, { recursive: isFolder, signal: AbortSignal.any([signal, ended.signal]) })
  const reading = (async () => {
    for await (const { filename } of events) if (only === null || filename === only) changed.resolve()
  })().catch((error: NodeJS.ErrnoException) => {
    if (error.name !== 'AbortError')
      failure = new CommandError(`${full} cannot be watched (${error.code ?? error.name}).`)
    changed.resolve()
  })
  return {
    async next(): Promise<void> {
      changed = Promise.withResolvers()
      if (failure === null && !signal.aborted) await changed.promise
      if (failure !== null) throw failure
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      await reading
    },
  }
}
