/**
 * A busy thread gets its next task in advance. Otherwise it waits for the main thread between two tasks, which costs a
 * sixth of the searches per second on two processors. Thread and pool agree about such a task by a shared slot with its
 * id: the task belongs to whoever first replaces the id by 0.
 */
export type Claims = Int32Array<SharedArrayBuffer>

/** Largest id of a task that a slot can hold. */
export const MOST_ID = 0x7fff_ffff

/** A thread may not have begun a task that the pool counts as begun, so one slot is not enough. */
const SLOTS = 8

export function newClaims(): Claims {
  return new Int32Array(new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT))
}

const slotOf = (id: number) => id % SLOTS

/** Offers a task. */
export function offer(claims: Claims, id: number): void {
  Atomics.store(claims, slotOf(id), id)
}

/** True if the task can be offered: its slot is free. */
export function mayOffer(claims: Claims, id: number): boolean {
  return Atomics.load(claims, slotOf(id)) === 0
}

/** True if the task now belongs to the caller. */
export function claim(claims: Claims, id: number): boolean {
  return Atomics.compareExchange(claims, slotOf(id), id, 0) === id
}
