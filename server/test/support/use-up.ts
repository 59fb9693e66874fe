import { takeFromWindow } from '#auth/rate-limit.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import type { Docent } from './harness.ts'

const HOUR_MS = 60 * 60 * 1000

/** Uses up requests of the owner's hourly limit for an operation that is unavailable here. */
export async function useUp(
  docent: Docent,
  { operation, limit, times }: { operation: string; limit: number; times: number },
): Promise<void> {
  await docent.inStore(async (store) => {
    const account = await findAccountByEmail(store.read, 'owner@example.test')
    const window = { key: `${operation}:${account?.id}`, limit, windowMs: HOUR_MS, now: Date.now(), count: times }
    if ((await takeFromWindow(store, window)) !== 0) throw new Error('The limit was used up already')
  })
}
