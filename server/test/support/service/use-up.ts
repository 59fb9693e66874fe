import { takeFromWindow } from '#auth/rate-limit.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import type { Docent } from './harness.ts'

const HOUR_MS = 60 * 60 * 1000

type Used = { operation: string; limit: number; times: number; windowMs?: number; email?: string }

/** Uses up requests of an account's limit for an operation, by default of the owner's hourly limit. */
export async function useUp(
  docent: Docent,
  { operation, limit, times, windowMs = HOUR_MS, email = 'owner@example.test' }: Used,
): Promise<void> {
  await docent.inStore(async (store) => {
    const account = await findAccountByEmail(store.read, email)
    const window = { key: `${operation}:${account?.id}`, limit, windowMs, now: Date.now(), count: times }
    if ((await takeFromWindow(store, window)) !== 0) throw new Error('The limit was used up already')
  })
}
