/** Resolves when the asker may begin; undefined where that is at once. */
export type Admit = () => Promise<void> | undefined

/**
 * Admits askers in the order in which they ask, one in each turn of the event loop. Whatever arrives while one piece
 * of work is done is seen before the next one starts, and waits as long as all others: without that, several that are
 * there at once are done in one go, and who comes a moment later waits for them and then for those who come after.
 */
export function createAdmissionQueue(): Admit {
  const waiting: (() => void)[] = []
  let isTaken = false
  const pass = () => {
    const next = waiting.shift()
    isTaken = next !== undefined
    if (next === undefined) return
    setImmediate(pass)
    next()
  }
  return () => {
    if (isTaken) return new Promise((resolve) => waiting.push(resolve))
    isTaken = true
    setImmediate(pass)
    return undefined
  }
}
