import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './take-turns.ts'

test('who comes alone has a turn at once, also after others', async () => {
  const takeTurn = createTurns()
  expect(takeTurn()).toBeUndefined()
  await takeTurn()
  await nextTurn()
  expect(takeTurn()).toBeUndefined()
})

test('turns come in the order of asking, one for each turn of the event loop', async () => {
  const takeTurn = createTurns()
  const done: string[] = []
  const work = async (name: string) => {
    await takeTurn()
    done.push(name)
  }
  const all = ['a', 'b', 'c'].map(work)
  await Promise.resolve()
  expect(done).toEqual(['a'])
  await nextTurn()
  expect(done).toEqual(['a', 'b'])
  all.push(work('d'))
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'c'])
  await Promise.all(all)
  expect(done).toEqual(['a', 'b', 'c', 'd'])
})
