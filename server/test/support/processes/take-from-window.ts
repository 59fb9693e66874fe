import { takeFromWindow } from '#auth/rate-limit.ts'
import { openStore } from '#store/engine/open.ts'

/** A separate node: tries to take `tries` requests at once and reports how many passed. */
const [url = '', key = '', limit = '', tries = ''] = process.argv.slice(2)
await using store = await openStore({ database: { engine: 'postgres', url }, onError: () => {} })
const take = () => takeFromWindow(store, { key, limit: Number(limit), windowMs: 600_000, now: Date.now() })
const waits = await Promise.all(Array.from({ length: Number(tries) }, take))
process.stdout.write(String(waits.filter((wait) => wait === 0).length))
