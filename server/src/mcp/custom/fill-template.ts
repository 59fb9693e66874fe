import type { PlanStep } from '@docent/contract/values/custom-tool-plan'

/** Arguments of a call, as validated by the input schema of its tool. */
export type Values = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g

/** Names of the arguments that a template uses. */
export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** Fills in a template. Null if an argument that it uses is not given. A template of one argument keeps its type. */
export function fillTemplate(template: string, values: Values): string | number | boolean | null {
  const names = placeholdersOf(template)
  if (names.some((name) => !isGiven(values[name]))) return null
  const [only] = names
  const value = values[only ?? '']
  if (template === `{${only}}` && (typeof value === 'number' || typeof value === 'boolean')) return value
  return template.replaceAll(PLACEHOLDER, (_, name: string) => String(values[name])).trim()
}

/** The same as text. */
export function fillText(template: string | undefined, values: Values): string | undefined {
  const filled = template === undefined ? null : fillTemplate(template, values)
  return filled === null ? undefined : String(filled)
}

/** The arguments of a step, without those that need a missing argument. */
export function fillArguments(given: PlanStep['arguments'], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const filled = fillValue(value, values)
      return filled === null ? [] : [[name, filled]]
    }),
  )
}

function fillValue(value: PlanStep['arguments'][string], values: Values): string | number | boolean | null {
  if (typeof value === 'string') return fillTemplate(value, values)
  if (Array.isArray(value)) {
    for (const template of value) {
      const filled = fillTemplate(template, values)
      if (filled !== null) return filled
    }
    return null
  }
  // The arguments of a remote tool. Values are filled in before they are written as JSON, so they cannot break out.
  if (typeof value === 'object') return JSON.stringify(fillArguments(value.json, values))
  return value
}

/** The templates of a step's argument. */
export function templatesOf(value: PlanStep['arguments'][string]): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value
  return typeof value === 'object' ? Object.values(value.json).filter((each) => typeof each === 'string') : []
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
