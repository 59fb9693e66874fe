import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { useAction } from '../../api/use-action.ts'

type Event = Output<'customTools.create'> extends AsyncIterable<infer E> ? E : Output<'customTools.create'>
export type BuiltTool = Extract<Event, { type: 'tool' }>['tool']
export type BuildStep = Omit<Extract<Event, { type: 'progress' }>, 'type'>

/** A build that is running in this tab, or its end. It continues if the tab is closed. */
export function useBuild(begin: () => AsyncIterable<Event>, onEnd: () => void) {
  const [steps, setSteps] = useState<readonly BuildStep[]>([])
  const [tool, setTool] = useState<BuiltTool | null>(null)
  const build = useAction(async () => {
    setSteps([])
    setTool(null)
    try {
      for await (const event of begin()) {
        if (event.type === 'progress') setSteps((before) => withStep(before, event))
        else if (event.type === 'tool') setTool(event.tool)
        else throw new Error(event.message)
      }
    } finally {
      onEnd()
    }
  })
  const clear = () => {
    setSteps([])
    setTool(null)
    build.clear()
  }
  return { ...build, clear, steps, tool }
}

/** A client that joins a build gets its last step again. */
function withStep(steps: readonly BuildStep[], step: BuildStep): readonly BuildStep[] {
  return steps.at(-1)?.message === step.message ? steps : [...steps, step]
}
