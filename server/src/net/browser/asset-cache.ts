/** A response for the browser, with the body as Base64. */
export type Asset = { status: number; headers: { name: string; value: string }[]; body: string }

/** Cache for assets that pages of one site share, such as scripts. */
export type AssetCache = {
  get(url: string): Asset | undefined
  set(url: string, asset: Asset): void
}

const MAX_CHARACTERS = 24 << 20
const KEEP_MS = 5 * 60_000

type Options = { maxCharacters?: number; keepMs?: number; now?: () => number }

/** Caches scripts by address. Evicts the least recently used, and everything older than some minutes. */
export function createAssetCache({
  maxCharacters = MAX_CHARACTERS,
  keepMs = KEEP_MS,
  now = Date.now,
}: Options = {}): AssetCache {
  const known = new Map<string, { asset: Asset; until: number }>()
  let size = 0
  const drop = (url: string) => {
    size -= known.get(url)?.asset.body.length ?? 0
    known.delete(url)
  }
  return {
    get(url) {
      const entry = known.get(url)
      if (!entry) return undefined
      drop(url)
      if (entry.until <= now()) return undefined
      known.set(url, entry)
      size += entry.asset.body.length
      return entry.asset
    },
    set(url, asset) {
      drop(url)
      known.set(url, { asset, until: now() + keepMs })
      size += asset.body.length
      for (const oldest of known.keys()) {
        if (size <= maxCharacters) break
        drop(oldest)
      }
    },
  }
}
