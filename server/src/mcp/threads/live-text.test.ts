import { expect, test } from 'vitest'
import { openLiveText } from './tool-host.ts'

test('gives a reader the latest text, and how often it has grown', async () => {
  const text = openLiveText()
  text.write('a')
  text.write('ab')
  expect(await text.after(0)).toEqual({ text: 'ab', writes: 2 })
})

test('lets a reader wait for the next write', async () => {
  const text = openLiveText()
  text.write('a')
  const next = text.after(1)
  text.write('ab')
  expect(await next).toEqual({ text: 'ab', writes: 2 })
})

test('ends every reader, including those that wait', async () => {
  const text = openLiveText()
  const waiting = text.after(0)
  text.end()
  expect(await waiting).toBeNull()
  expect(await text.after(0)).toBeNull()
})
