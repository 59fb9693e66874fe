import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type TaskProcess, openChildProcess } from '#workers/child-process.ts'
import type { OddTask } from '../support/processes/odd-program.ts'

const open: TaskProcess<OddTask>[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.end()))
})

function start({ heapMb = 64, memoryMb = 400, ...rest }: { heapMb?: number; memoryMb?: number; shell?: string } = {}) {
  const answers: unknown[] = []
  const ends: unknown[] = []
  const apart = openChildProcess<OddTask, unknown>({
    program: new URL('../support/processes/odd-program.ts', import.meta.url),
    heapMb,
    memoryMb,
    ...rest,
    onAnswer: (answer) => answers.push(answer),
    onEnd: (why) => ends.push(why),
  })
  apart.setBusy(true)
  open.push(apart)
  return { apart, answers, ends }
}

/** Process state as in /proc (R: running); null for an unknown process or a zombie. */
function stateOf(pid: number): string | null {
  try {
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null
    return state === 'Z' ? null : state
  } catch {
    return null
  }
}

/** Command lines of all processes, with a NUL after each word. */
function commands(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      // The process has just exited.
      return ''
    }
  })
}

describe('child process for untrusted input', () => {
  test('answers tasks in order, including large ones', async () => {
    const { apart, answers, ends } = start()
    apart.post({ bytes: new Uint8Array(20 << 20) })
    apart.post('answer')
    await expect.poll(() => answers).toEqual([20 << 20, 'here'])
    expect(ends).toEqual([])
  })

  test('kills only the child when one allocation exceeds its heap', async () => {
    const { apart, ends, answers } = start()
    apart.post('grow an array')
    apart.post('answer')
    await expect.poll(() => ends).toEqual(['memory'])
    expect(answers).toEqual([])
  })

  test.runIf(process.platform === 'linux')('kills the child when its buffers exceed its memory limit', async () => {
    const { apart, ends } = start({ memoryMb: 200 })
    apart.post('fill buffers')
    await expect.poll(() => ends).toEqual(['memory'])
  })

  test('reports an exception of the child’s program with its message', async () => {
    const { apart, ends } = start()
    apart.post('throw')
    await expect
      .poll(() => ends)
      .toEqual([expect.objectContaining({ message: expect.stringContaining('a fault of the program') })])
  })

  test('gives the child no environment, no file writes and no subprocesses', async () => {
    // The compile cache gives it one writable folder until its first task.
    enableCompileCache()
    const { apart, answers } = start()
    apart.post('reach out')
    const refused = 'ERR_ACCESS_DENIED'
    await expect.poll(() => answers).toHaveLength(1)
    const environment = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE']
    expect(answers).toEqual([{ environment, wrote: [refused, refused], ran: 'refused', threaded: refused }])
  })

  test.runIf(process.platform === 'linux').each(['/bin/sh', '/nowhere/sh'])(
    'ends the child with its parent even while it parses a document (watchdog: %s)',
    async (shell) => {
      const program = join(import.meta.dirname, '../support/processes/own-spinning.ts')
      const owner = spawn(process.execPath, [program, shell], { stdio: ['ignore', 'pipe', 'inherit'] })
      try {
        const [said] = (await once(owner.stdout, 'data')) as [Buffer]
        const pid = Number(said.toString())
        await expect.poll(() => stateOf(pid)).toBe('R')
        owner.kill('SIGKILL')
        await expect.poll(() => stateOf(pid)).toBe(null)
      } finally {
        owner.kill('SIGKILL')
      }
    },
  )

  test.runIf(process.platform === 'linux')('leaves no watchdog process behind after it ends', async () => {
    const { apart, answers } = start()
    apart.post('pid')
    await expect.poll(() => answers).toHaveLength(1)
    const guards = () =>
      commands().filter((command) => command.startsWith('/bin/sh\0') && command.endsWith(`\0${answers[0]}\0`))
    expect(guards()).toHaveLength(1)
    await apart.end()
    await expect.poll(guards).toEqual([])
  })

  test('isolates the child equally without a shell, where it watches its parent itself', async () => {
    const { apart, answers } = start({ shell: '/nowhere/sh' })
    apart.post('pid')
    apart.post('reach out')
    await expect.poll(() => answers).toHaveLength(2)
    const [pid, reached] = answers
    expect(reached).toMatchObject({ ran: 'refused', threaded: 'ERR_ACCESS_DENIED' })
    expect(commands().filter((command) => command.endsWith(`\0sh\0${String(pid)}\0`))).toEqual([])
  })

  test('delivers no messages after the child was ended', async () => {
    const { apart, answers, ends } = start()
    apart.post('grow an array')
    await apart.end()
    await apart.end()
    apart.post('answer')
    expect([answers, ends]).toEqual([[], []])
  })
})
