import type { DocentClient } from '@docent/sdk'

/** A command that makes requests of the management API, on the service that DOCENT_URL names. */
export type ClientCommand = {
  /** Words after `docent`, such as `servers get`. */
  name: string
  about: string
  /** In commander's notation: `<server>`, `[pattern...]`. The last one can be a list. */
  arguments?: readonly (readonly [form: string, about: string])[]
  options?: readonly (readonly [form: string, about: string])[]
  /** What the command destroys, with its arguments in braces by number. It asks first, or needs `--yes`. */
  destroys?: string
  run(client: DocentClient, args: readonly string[], options: Options): Promise<Shown>
}

/** Values of options by name. */
export type Options = Readonly<Record<string, unknown>>

/** A result: the answer of the API for `--json`, and for people a table with a head, or lines. */
export type Shown = { json: unknown; table?: readonly (readonly string[])[]; lines?: readonly string[] }

/** The text of an option. */
export function optionOf(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The argument at a position, which commander has checked. */
export function argumentOf(args: readonly string[], at: number): string {
  const value = args[at]
  if (value === undefined) throw new Error(`The command has no argument ${at}.`)
  return value
}

/** Omits members without a value, as the client's types ask for. */
export function given<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
