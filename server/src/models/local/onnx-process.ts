import { type EndReason, openApartProcess } from '#lib/apart-process.ts'
import { ModelError } from '../model-error.ts'
import type { OnnxAnswer, OnnxTask } from './onnx-tasks.ts'

type Given = Exclude<OnnxAnswer, { gave: 'failure' }>
type GivenFor<T extends OnnxTask> = Extract<Given, { gave: T['ask'] extends 'open' ? 'model' : 'vectors' }>

export type OnnxProcess = {
  /** Asks for one thing; the next may be asked when it has come. Throws `ModelError`; one of time ends the process. */
  ask<T extends OnnxTask>(task: T, totalMs: number): Promise<GivenFor<T>>
  hasEnded(): boolean
  end(): Promise<void>
}

export type OnnxProcessOptions = {
  isNative: boolean
  heapMb: number
  memoryMb: number
  /** Paths of the model's files. */
  reads: readonly string[]
}

/**
 * Nothing else of an environment. The native runtime's official builds report what they do to their maker since 1.29;
 * with this, read once when it is loaded, nothing of that is set up.
 */
const NATIVE = { environment: { ORT_DISABLE_TELEMETRY: '1', MALLOC_ARENA_MAX: '1' } }

/** A process that holds a model: what goes wrong in it, or takes too much of anything, ends it and not the service. */
export function startOnnxProcess({ isNative, heapMb, memoryMb, reads }: OnnxProcessOptions): OnnxProcess {
  let asked: PromiseWithResolvers<Given> | null = null
  let ended = false
  const apart = openApartProcess<OnnxTask, OnnxAnswer>({
    program: new URL('./onnx-worker.ts', import.meta.url),
    heapMb,
    memoryMb,
    reads,
    ...(isNative ? { native: NATIVE } : {}),
    onAnswer(answer) {
      if (answer.gave === 'failure') asked?.reject(new ModelError('malformed', answer.message))
      else asked?.resolve(answer)
    },
    onEnd(why) {
      ended = true
      asked?.reject(
        new ModelError('unavailable', sentenceOf(why, memoryMb), why instanceof Error ? { cause: why } : {}),
      )
    },
  })
  const end = async () => {
    ended = true
    asked?.reject(new ModelError('aborted', 'The service is ending.'))
    await apart.end()
  }
  return {
    hasEnded: () => ended,
    end,
    async ask(task, totalMs) {
      if (ended) throw new ModelError('unavailable', 'Its process ended.')
      asked = Promise.withResolvers()
      const deadline = setTimeout(() => {
        asked?.reject(new ModelError('timeout', `It took more than ${totalMs / 1000} seconds.`))
        void end()
      }, totalMs)
      apart.setBusy(true)
      apart.post(task)
      try {
        return (await asked.promise) as GivenFor<typeof task>
      } finally {
        clearTimeout(deadline)
        asked = null
        if (!ended) apart.setBusy(false)
      }
    },
  }
}

function sentenceOf(why: EndReason, memoryMb: number): string {
  if (why === 'memory') return `It took more than ${Math.round(memoryMb)} MB.`
  return why === 'killed' ? 'Its process was ended from outside.' : 'Its process ended.'
}
