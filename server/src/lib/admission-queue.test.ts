import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAdmissionQueue } from './admission-queue.ts'

test('who comes alone is admitted at once, also after others', async () => {
  const admit = createAdmissionQueue()
  expect(admit()).toBeUndefined()
  await admit()
  await nextTurn()
  expect(admit()).toBeUndefined()
})

test('who asks is admitted in the order of asking, one in each turn of the event loop', async () => {
  const admit = createAdmissionQueue()
  const done: string[] = []
  const work = async (name: string) => {
    await admit()
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
