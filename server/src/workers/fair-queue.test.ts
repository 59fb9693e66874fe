import { expect, test } from 'vitest'
import { FairShares, newShare } from './fair-queue.ts'

const nothing = () => 0

/** Runs jobs one at a time, at the cost of their share, and returns their owners in order. */
function work(shares: FairShares<string>, costs: Map<ReturnType<typeof newShare<string>>, number>, jobs: number) {
  const done: string[] = []
  for (let n = 0; n < jobs; n++) {
    const [share] = shares.inOrder(nothing)
    if (!share) break
    done.push(shares.take(share) ?? '')
    shares.release(share, costs.get(share) ?? 0)
  }
  return done.join('')
}

test('gives several shares equal time, however long their jobs take', () => {
  const shares = new FairShares<string>()
  const [slow, quick] = [newShare<string>(), newShare<string>()]
  for (let n = 0; n < 20; n++) {
    shares.push(slow, 's')
    shares.push(quick, 'q')
  }
  const costs = new Map([
    [slow, 400],
    [quick, 100],
  ])
  expect(work(shares, costs, 11)).toBe('sqqqqsqqqqs')
})

test('starts a new share at the level of the others', () => {
  const shares = new FairShares<string>()
  const [old, late] = [newShare<string>(), newShare<string>()]
  for (let n = 0; n < 20; n++) shares.push(old, 'o')
  const costs = new Map([
    [old, 10],
    [late, 10],
  ])
  expect(work(shares, costs, 5)).toBe('ooooo')
  for (let n = 0; n < 20; n++) shares.push(late, 'l')
  expect(work(shares, costs, 6)).toBe('olololol'.slice(0, 6))
})

test('counts the time of a job that is still running', () => {
  const shares = new FairShares<string>()
  const [one, other] = [newShare<string>(), newShare<string>()]
  shares.push(one, 'a')
  shares.push(one, 'b')
  shares.push(other, 'c')
  expect(shares.take(one)).toBe('a')
  expect(shares.inOrder((share) => (share === one ? 5 : 0))).toEqual([other, one])
})

test('runs a job that is put back as the next of its share', () => {
  const shares = new FairShares<string>()
  const share = newShare<string>()
  for (const job of 'ab') shares.push(share, job)
  expect(shares.take(share)).toBe('a')
  shares.putBack(share, 'a')
  expect(work(shares, new Map(), 9)).toBe('ab')
  expect(shares.inOrder(nothing)).toEqual([])
})
