/** Undefined where it is the asker's turn at once. */
export type TakeTurn = () => Promise<void> | undefined

/**
 * Turns in the order in which they are asked for, one for each turn of the event loop. Whatever arrives while one piece
 * of work is done is seen before the next one starts, and waits as long as all others: without that, several that are
 * there at once are done in one go, and who comes a moment later waits for them and then for those who come after.
 */
export function createTurns(): TakeTurn {
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
