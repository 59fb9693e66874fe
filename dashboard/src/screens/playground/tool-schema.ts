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

/** The tools of a server in the order of its selection. Custom tools are called by their own name. */
export function toolsOf({ available, customTools }: Output<'tools.get'>, selected: readonly string[]): ShownTool[] {
  return selected.flatMap((name) => {
    const builtIn = available.find((tool) => tool.name === name)
    if (builtIn) return [builtIn]
    const custom = customTools.find(({ id }) => `custom:${id}` === name)
    return custom ? [{ name: custom.name, description: custom.description, inputSchema: {} }] : []
  })
}

/** The type of a value; of alternatives, the first that is not null. */
export function typeOf({ type, anyOf }: Schema): string {
  const own = [type ?? []].flat().find((name) => name !== 'null')
  return own ?? (anyOf ? typeOf(anyOf.find((one) => typeOf(one) !== 'null') ?? {}) : 'string')
}
