import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepSent } from './keep-sent.ts'

/** Milliseconds that the program has waited on purpose. */
const pauses: number[] = []
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: async (pause: number) => void pauses.push(pause),
}))

test('sends a change of a watched folder after pauses of a second at most', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-watched-'))
  const ended = new AbortController()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (text: string) => writeFileSync(join(folder, 'a.md'), text)
  let sent = Promise.withResolvers<void>()
  const sends = { path: folder, from: folder, send: async () => sent.resolve(), onProblem: () => {} }
  write('# Apples\n\nApples are red.')
  const watching = keepSent(sends, ended.signal)
  for (const colour of ['green', 'yellow']) {
    await sent.promise
    sent = Promise.withResolvers()
    pauses.length = 0
    write(`# Apples\n\nApples are ${colour}.`)
  }
  await sent.promise
  // A change is to be found within two seconds. Sending and indexing takes the rest.
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(1_000)
  ended.abort()
  await watching.catch(() => {})
})
