import type { DocentClient } from '@docent/sdk'
import type { Instance } from '../profiles/select-instance.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

/** A command that makes requests of the management API of the selected service. */
export type ClientCommand = {
  /** Words after `docent`, such as `servers get`. */
  name: string
  about: string
  /** In commander's notation: `<server>`, `[pattern...]`. The last one can be a list. */
  arguments?: readonly (readonly [form: string, about: string, choices?: readonly string[]])[]
  options?: readonly (readonly [form: string, about: string, choices?: readonly string[]])[]
  /**
   * Name of the thing that the command destroys, with arguments in braces by number. The command asks first, or needs
   * `--yes`.
   */
  destroys?: string
  /** Works on public things without a sign-in. */
  isOpen?: true
  /** Can show the progress of indexing until it ends, with `--watch`. */
  canWatch?: true
  run(client: DocentClient, args: readonly string[], options: Options, around: Around): Promise<Shown>
  /** Shows new items as they come, with `--follow`. */
  follow?(client: DocentClient, args: readonly string[], options: Options, around: Around): AsyncIterable<Item>
}

export type Around = { instance: Instance; terminal: Terminal; signal: AbortSignal }

/** An item of a stream: a line of JSON for `--json`, and a line for people. */
export type Item = { json: unknown; line: string }

/** Values of options by name. */
export type Options = Readonly<Record<string, unknown>>

/** A result: the answer of the API for `--json` (absent if the command wrote it itself), and for people a table with a head, or lines. */
export type Shown = {
  json?: unknown
  table?: readonly (readonly string[])[]
  lines?: readonly string[]
  /** Remarks for people, on standard error. */
  notes?: readonly string[]
  /** For a result that is a failure. Default: success. */
  exitCode?: number
  /** The server that is indexed now, and the ids of the sources to watch; by default all. */
  indexing?: { server: string; only?: ReadonlySet<string> }
}

/** The text of an option. */
export function optionOf(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The number of an option. Throws `CommandError` for other text. */
export function numberOf(options: Options, name: string): number | undefined {
  const text = optionOf(options, name)
  if (text === undefined) return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw new CommandError(`--${name} needs a whole number, not "${text}".`, EXIT.usage)
  return Number(text)
}

/** The words of an option with commas between them. */
export const listOf = (options: Options, name: string): string[] | undefined =>
  optionOf(options, name)
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** `--on` or `--off`. Throws `CommandError` for both. */
export function switchOf(options: Options): boolean | undefined {
  if (options['on'] === true && options['off'] === true) throw new CommandError('Give --on or --off.', EXIT.usage)
  return options['on'] === true ? true : options['off'] === true ? false : undefined
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
