import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { itemsWhile } from './items-while.ts'

async function read<R>(items: AsyncGenerator<number, R>): Promise<{ seen: number[]; result: R }> {
  const seen: number[] = []
  for (;;) {
    const next = await items.next()
    if (next.done) return { seen, result: next.value }
    seen.push(next.value)
  }
}

test('yields items as they come, then returns the result', async () => {
  const items = itemsWhile<number, string>(async (push) => {
    push(1)
    await setImmediate()
    push(2)
    push(3)
    return 'done'
  })
  expect(await read(items)).toEqual({ seen: [1, 2, 3], result: 'done' })
})

test('yields the items before an error, then throws it', async () => {
  const items = itemsWhile<number, never>(async (push) => {
    push(1)
    await setImmediate()
    throw new Error('broken')
  })
  expect(await items.next()).toEqual({ value: 1, done: false })
  await expect(items.next()).rejects.toThrow('broken')
})

test('leaves no unhandled rejection if nobody reads on', async () => {
  const items = itemsWhile<number, never>(async (push) => {
    push(1)
    await setImmediate()
    throw new Error('broken')
  })
  await items.next()
  await items.return(undefined as never)
  await setImmediate()
  await setImmediate()
})
