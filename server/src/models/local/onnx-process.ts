import { type EndReason, openChildProcess } from '#workers/child-process.ts'
import type { OnnxRuntime } from '#lib/settings.ts'
import { ModelError } from '../chat-model.ts'
import type { TextKind } from '../embedding-model.ts'
import type { ModelFolder } from './read-model-folder.ts'

export type OnnxAnswer =
  | { gave: 'model'; model: OpenedModel }
  | { gave: 'vectors'; vectors: Float32Array[]; tokens: number }
  | { gave: 'failure'; message: string }

type Given = Exclude<OnnxAnswer, { gave: 'failure' }>

/** Tasks of the model process: open the model once, then embed texts. */
export type OnnxTask =
  | { ask: 'open'; folder: ModelFolder; runtime: OnnxRuntime }
  | { ask: 'embed'; texts: readonly string[]; kind: TextKind }

type GivenFor<T extends OnnxTask> = Extract<Given, { gave: T['ask'] extends 'open' ? 'model' : 'vectors' }>

export type OnnxProcess = {
  /** Sends one task. Wait for its result before sending the next. Throws `ModelError`; a timeout ends the process. */
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
 * The whole environment of the process. Official builds of the native runtime send telemetry since 1.29. This variable,
 * read once on load, disables it.
 */
const NATIVE = { environment: { ORT_DISABLE_TELEMETRY: '1', MALLOC_ARENA_MAX: '1' } }

/** Starts a process that holds a model. A crash or excessive resource use ends this process, not the service. */
export function startOnnxProcess({ isNative, heapMb, memoryMb, reads }: OnnxProcessOptions): OnnxProcess {
  let asked: PromiseWithResolvers<Given> | null = null
  let ended = false
  const apart = openChildProcess<OnnxTask, OnnxAnswer>({
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

export type OpenedModel = {
  dimensions: number
  /** Identical for the same files and settings in any folder. */
  fingerprint: string
}
