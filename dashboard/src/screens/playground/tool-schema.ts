import type { Output } from '@docent/sdk'

/** The part of JSON Schema that arguments of tools use. */
export type Schema = {
  type?: string | readonly string[]
  description?: string
  enum?: readonly unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
}

export type ShownTool = { name: string; description: string; inputSchema: Schema }

type Available = Pick<Output<'tools.get'>, 'available'>
type Custom = Pick<Output<'customTools.list'>, 'tools'>

/** The tools of a server in the order of its selection. Custom tools are called by their own name. */
export function toolsOf({ available }: Available, { tools }: Custom, selected: readonly string[]): ShownTool[] {
  return selected.flatMap((name) => {
    const builtIn = available.find((tool) => tool.name === name)
    if (builtIn) return [builtIn]
    const custom = tools.find(({ id, status }) => `custom:${id}` === name && status === 'ready')
    return custom ? [{ name: custom.name, description: custom.description, inputSchema: custom.inputSchema }] : []
  })
}

/** The type of a value; of alternatives, the first that is not null. */
export function typeOf({ type, anyOf }: Schema): string {
  const own = [type ?? []].flat().find((name) => name !== 'null')
  return own ?? (anyOf ? typeOf(anyOf.find((one) => typeOf(one) !== 'null') ?? {}) : 'string')
}
