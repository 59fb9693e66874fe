/** What a page still holds when somebody leaves it. A secret that is shown once is lost for good. */
export type Held = 'text' | 'file' | 'secret'
/** A wish to leave, with the way on. */
export type Leaving = { held: Held; go: () => void }

type Asked = { held: Held[]; within: Element | null }

const LEAVE = 'docent-leave'
/** Sent to the window with a `Leaving` when the page holds something. */
export const ASKED_TO_STAY = 'docent-asked-to-stay'

/** What an element, or the whole page, would lose now. Null: nothing. */
export function heldNow(within: Element | null = null): Held | null {
  const detail: Asked = { held: [], within }
  dispatchEvent(new CustomEvent(LEAVE, { detail }))
  return detail.held.find((one) => one === 'secret') ?? detail.held[0] ?? null
}

/** Leaves the page, or the part of it within an element, or asks first. */
export function leave(go: () => void, within: Element | null = null): void {
  const held = heldNow(within)
  if (held === null) go()
  else dispatchEvent(new CustomEvent<Leaving>(ASKED_TO_STAY, { detail: { held, go } }))
}

/** Answers for one part of the page what it holds, until the returned function is called. `own`: its element. */
export function holdPage(read: () => Held | null, own: () => Element | null = () => null): () => void {
  const answer = (event: Event) => {
    const { held: all, within } = (event as CustomEvent<Asked>).detail
    const held = within === null || within.contains(own()) ? read() : null
    if (held) all.push(held)
  }
  addEventListener(LEAVE, answer)
  return () => removeEventListener(LEAVE, answer)
}
