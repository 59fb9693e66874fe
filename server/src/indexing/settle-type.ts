import type { SourceType } from '@docent/contract/values/sources'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import type { Store } from '#store/db.ts'
import { type SourceRow, updateSourceRow } from '#store/sources/sources.ts'
import type { Detected } from '#sources/detect-source.ts'

type Deps = {
  store: Store
  /** Detects the type of source at a URL. Never throws for failures of the remote side. */
  detect: (address: URL, guess: SourceType) => Promise<Detected>
}

/**
 * Returns the source with a final type. If the type was guessed from the URL, detects it by a request and stores it
 * with the reason. An unreachable URL is tried again next time.
 */
export async function settleType({ store, detect }: Deps, source: SourceRow): Promise<SourceRow> {
  if (source.typeGuessed === 0 || isUploadUrl(source.url)) return source
  const { type, reason, reachable } = await detect(new URL(source.url), source.type)
  if (!reachable) return source
  const settled = { type, typeReason: reason, typeGuessed: 0 }
  await updateSourceRow(store.write, source.id, settled)
  return { ...source, ...settled }
}
