import type { SourceType } from '@docent/contract/sources'
import { isUploadUrl } from '#lib/upload-url.ts'
import type { Store } from '#store/db.ts'
import { type SourceRow, updateSource } from '#store/sources.ts'
import type { Detected } from './sources/detect-source.ts'

type Deps = {
  store: Store
  /** Looks at what an address leads to. Never throws for what the other side does. */
  detect: (address: URL, guess: SourceType) => Promise<Detected>
}

/**
 * The source as it is to be read: where its kind was judged by its address alone, it is looked at first, and what was
 * seen is kept with the reason. An address that cannot be reached is looked at again the next time.
 */
export async function settleType({ store, detect }: Deps, source: SourceRow): Promise<SourceRow> {
  if (source.typeGuessed === 0 || isUploadUrl(source.url)) return source
  const { type, reason, reachable } = await detect(new URL(source.url), source.type)
  if (!reachable) return source
  const settled = { type, typeReason: reason, typeGuessed: 0 }
  await updateSource(store.write, source.id, settled)
  return { ...source, ...settled }
}
