import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of work per turn, after which other requests run. */
const SLICE_MS = 3
/** Default number of items between two checks of the clock. */
const ITEMS_A_LOOK = 16

export type Yielder = { due(): boolean; turn(): Promise<void> }

/** For loops that would block other requests: call `due` for each item, and await `turn()` when it returns true. */
export function createYielder(itemsALook = ITEMS_A_LOOK): Yielder {
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
