import type { Store } from '#store/db.ts'

/** A store whose transactions wait for `release`. `reached` resolves when the first one waits. */
export function delayTransactions(store: Store): { store: Store; reached: Promise<void>; release: () => void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late: Store = {
    ...store,
    transaction: async (body) => {
      reached.resolve()
      await released.promise
      return store.transaction(body)
    },
  }
  return { store: late, reached: reached.promise, release: () => released.resolve() }
}
