import { OWN_OPERATIONS, type OwnOperation } from '@docent/contract/values/custom-tool-plan'
import type { z } from 'zod'
import { defineTool, READ_ONLY, type Tool, type ToolAnswer, type ToolContext } from '../../definition/tool.ts'

/** An operation of plans that is no tool of its own. */
export function defineOperation<S extends z.ZodObject, O extends z.ZodObject>(definition: {
  name: OwnOperation
  input: S
  output: O
  call: (context: ToolContext, input: z.output<S>, signal?: AbortSignal) => Promise<ToolAnswer<z.output<O>>>
}): Tool<ToolContext> {
  const { name } = definition
  const description = OWN_OPERATIONS.find((each) => each.name === name)?.description ?? ''
  return defineTool<S, O, ToolContext>({ ...definition, title: name, description, annotations: READ_ONLY })
}
