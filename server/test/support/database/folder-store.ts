import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '#store/engine/open.ts'
import { type Engine, type Place, makePlace } from './engines.ts'
import { insertSource } from './insert-source.ts'

export const NO_BUCKET = { s3: null, cacheMb: 0 }

/** A store whose bytes are in a folder, with a source. */
export async function makeFolderStore(engine: Engine) {
  const stack = new AsyncDisposableStack()
  const place = stack.use(await makePlace(engine))
  const folder = join(place.dataDir, 'blobs')
  const store = stack.use(await openIn(place, folder))
  const source = await insertSource(store, { url: 'https://a.example.test/', type: 'docs' })
  const { accountId } = await store.read.selectFrom('servers').select('accountId').executeTakeFirstOrThrow()
  return { place, folder, store, source, accountId, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export const openIn = ({ database }: Place, folder: string) =>
  openStore({ database, onError: () => {}, blobs: { ...NO_BUCKET, place: 'folder', folder } })

/** Paths of all files in a folder. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
