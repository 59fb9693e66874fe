import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of one request's work after which others get their turn. */
const SLICE_MS = 3
/** Items between two looks at the clock, where not told. */
const ITEMS_A_LOOK = 16

export type TurnTaker = { due(): boolean; turn(): Promise<void> }

/**
 * For loops over so many items that other requests would have to wait for their end: called for each item, `due` says
 * now and then that `turn()` is to be awaited. `itemsALook` of them must be little work.
 */
export function createTurnTaker(itemsALook = ITEMS_A_LOOK): TurnTaker {
  let since = performance.now()
  let items = 0
  return {
    due: () => ++items % itemsALook === 0 && performance.now() - since > SLICE_MS,
    async turn() {
      await turn()
      since = performance.now()
    },
  }
}
