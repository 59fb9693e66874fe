/** What a page still holds when somebody leaves it. A secret that is shown once is lost for good. */
export type Held = 'text' | 'secret'
/** A wish to leave, with the way on. */
export type Leaving = { held: Held; go: () => void }

const LEAVE = 'docent-leave'
/** Sent to the window with a `Leaving` when the page holds something. */
export const ASKED_TO_STAY = 'docent-asked-to-stay'

/** What the page would lose now. Null: nothing. */
export function heldNow(): Held | null {
  const detail: { held: Held[] } = { held: [] }
  dispatchEvent(new CustomEvent(LEAVE, { detail }))
  return detail.held.find((one) => one === 'secret') ?? detail.held[0] ?? null
}

/** Leaves the page, or asks first. */
export function leave(go: () => void): void {
  const held = heldNow()
  if (held === null) go()
  else dispatchEvent(new CustomEvent<Leaving>(ASKED_TO_STAY, { detail: { held, go } }))
}

/** Answers for one part of the page what it holds, until the returned function is called. */
export function holdPage(read: () => Held | null): () => void {
  const answer = (event: Event) => {
    const held = read()
    if (held) (event as CustomEvent<{ held: Held[] }>).detail.held.push(held)
  }
  addEventListener(LEAVE, answer)
  return () => removeEventListener(LEAVE, answer)
}
