import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 1_000
/** Ids that are remembered: more than come in between two requests, and few enough to keep. */
const REMEMBERED = 5_000
/** Pages that are read at once. A burst of more calls is shown in part. */
const MOST_PAGES = 50

/**
 * The calls of the first page, oldest first, then each new one, until aborted. `read` gives a page of calls, newest
 * first.
 */
export async function* followCalls<C extends { id: string }>(
  read: (page: number) => Promise<readonly C[]>,
  signal: AbortSignal,
): AsyncGenerator<C, void> {
  let seen = new Set<string>()
  for (let isFirst = true; ; isFirst = false) {
    const fresh: C[] = []
    for (let page = 1; page <= (isFirst ? 1 : MOST_PAGES); page++) {
      const calls = await read(page)
      const unseen = calls.filter(({ id }) => !seen.has(id))
      fresh.push(...unseen)
      // Pages shift while calls come in, so a page can repeat some of the one before.
      if (unseen.length === 0 || unseen.length < calls.length) break
    }
    const inOrder = new Map(fresh.toReversed().map((call) => [call.id, call]))
    yield* inOrder.values()
    seen = new Set([...seen, ...inOrder.keys()].slice(-REMEMBERED))
    await sleep(POLL_MS, undefined, { signal })
  }
}
