type Reads<Value> = { running: Promise<Value>; next?: Promise<Value> }

/**
 * Reads once for all who wait for the same key. A read that has begun may miss a change that came since, so those who
 * come later share the next one, which begins when it has ended.
 */
export function shareReads<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const known = new Map<string, Reads<Value>>()
  const begin = (key: string): Promise<Value> => {
    const reads: Reads<Value> = { running: read(key) }
    known.set(key, reads)
    const end = () => void (reads.next ?? known.delete(key))
    reads.running.then(end, end)
    return reads.running
  }
  return (key) => {
    const reads = known.get(key)
    if (reads === undefined) return begin(key)
    const again = () => begin(key)
    return (reads.next ??= reads.running.then(again, again))
  }
}
