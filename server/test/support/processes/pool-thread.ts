import { setImmediate as turn } from 'node:timers/promises'
import { writeFileSync } from 'node:fs'
import { serveThread, type ThreadCall } from '#workers/serve-thread.ts'

/** Tasks that the tests run in the pool's threads. */
export type PoolTask =
  | { do: 'return'; value: unknown }
  | { do: 'throw'; message: string }
  | { do: 'spin'; ms: number }
  | { do: 'take turns'; ms: number }
  | { do: 'fill memory' }
  | { do: 'ask'; method: string; args: unknown[] }
  | { do: 'wait for abort' }
  | { do: 'list environment' }
  | { do: 'tell'; note: unknown }
  | { do: 'notes' }
  | { do: 'write'; path: string }

type Thread = { notes: unknown[]; tell: (note: unknown) => void }

async function run({ notes, tell }: Thread, task: PoolTask, { ask, signal }: ThreadCall): Promise<unknown> {
  switch (task.do) {
    case 'return':
      return task.value
    case 'throw':
      throw new TypeError(task.message)
    case 'spin': {
      const end = performance.now() + task.ms
      while (performance.now() < end);
      return 'spun'
    }
    case 'take turns': {
      const end = performance.now() + task.ms
      while (performance.now() < end) await turn()
      return 'took turns'
    }
    case 'fill memory': {
      const kept: unknown[] = []
      for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
    }
    case 'ask':
      return ask(task.method, ...task.args)
    case 'wait for abort':
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await ask('aborted')
      return 'aborted'
    case 'list environment':
      return Object.keys(process.env)
    case 'tell':
      tell(task.note)
      return 'told'
    case 'write':
      writeFileSync(task.path, '')
      return 'written'
    default:
      return notes
  }
}

serveThread<PoolTask>((tell) => {
  const thread: Thread = { notes: [], tell }
  return {
    run: (task, call) => run(thread, task, call),
    onNote: (note: unknown) => void thread.notes.push(note),
  }
})
