import {
  type EndReason,
  ProcessExit,
  type TaskProcess,
  type TaskProcessOptions,
  openChildProcess,
} from './child-process.ts'
import { type OnFault, type TaskResult, faultOf, killedBy } from './kill-reason.ts'
import { startCpuDeadline } from './process-status.ts'
import type { TaskAnswer } from './serve-child.ts'

type Run = {
  signal: AbortSignal
  /** Milliseconds of CPU time. */
  limitMs: number
  /** Name of the task for `onFault`. */
  where: string
  onFault?: OnFault | undefined
  /** Input bytes of programs that read a payload. */
  payload?: Uint8Array | undefined
}

/** A child process that runs one task at a time, by `serveTasks`. It must end after a task that was killed. */
export class TaskChild<Task> implements AsyncDisposable {
  readonly #process: TaskProcess<Task>
  #onAnswer: (answer: TaskAnswer<unknown>) => void = () => undefined
  #onEnd: (why: EndReason) => void = () => undefined
  #isDead = false
  #done = 0

  constructor(options: Omit<TaskProcessOptions<never>, 'onAnswer' | 'onEnd'>) {
    this.#process = openChildProcess<Task, TaskAnswer<unknown>>({
      ...options,
      onAnswer: (answer) => this.#onAnswer(answer),
      onEnd: (why) => {
        this.#isDead = true
        this.#onEnd(why)
      },
    })
  }

  /** True if it was ended from outside. */
  get isDead(): boolean {
    return this.#isDead
  }

  /** Number of tasks completed. */
  get done(): number {
    return this.#done
  }

  /** Runs a task. Rejects with the signal's reason when aborted, and with an error if the process cannot start. */
  async run<Output>(task: Task, { signal, limitMs, where, onFault, payload }: Run): Promise<TaskResult<Output>> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult<Output>>()
    const fail = (error: unknown) => {
      const fault = faultOf(error)
      if (!fault) return reject(error)
      onFault?.(error, where)
      resolve(fault)
    }
    this.#onAnswer = (answer) =>
      answer.ok ? resolve({ kind: 'done', value: answer.value as Output }) : fail(answer.error)
    this.#onEnd = (why) => {
      if (why instanceof ProcessExit) fail(why)
      else if (why instanceof Error) reject(why)
      else resolve(killedBy(why))
    }
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const onOver = (reason: 'timeout' | 'busy') => resolve({ kind: 'killed', reason })
    const stopClock = startCpuDeadline(this.#process, { limitMs, onOver })
    try {
      this.#process.setBusy(true)
      this.#process.post(task, payload)
      const result = await promise
      if (result.kind === 'done') this.#done++
      this.#process.setBusy(false)
      return result
    } finally {
      stopClock()
      signal.removeEventListener('abort', abort)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.end()
  }
}
