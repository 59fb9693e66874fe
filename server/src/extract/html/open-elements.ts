/**
 * Callbacks for the ends of open elements during a pass over the flat tree. The pass calls `closeUpTo` with every index
 * that it visits. That closes all elements that end there, innermost first.
 */
export type OpenElements = { push: (end: number, close: () => void) => void; closeUpTo: (index: number) => void }

export function createOpenElements(): OpenElements {
  const open: { end: number; close: () => void }[] = []
  return {
    push(end, close) {
      open.push({ end, close })
    },
    closeUpTo(index) {
      for (let last = open.at(-1); last !== undefined && last.end <= index; last = open.at(-1)) {
        open.pop()
        last.close()
      }
    },
  }
}
