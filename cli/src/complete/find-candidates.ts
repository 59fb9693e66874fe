import type { Argument, Command, Option } from 'commander'

/** A possible next word with its meaning. */
export type Candidate = { word: string; about: string }

/**
 * Arguments whose values come from the service or the stored sign-ins. `request`: a request of any account, for the
 * operator.
 */
const LOOKUP_KINDS = ['server', 'profile', 'webhook', 'purchase', 'request'] as const
export type LookupKind = (typeof LOOKUP_KINDS)[number]
export type Lookup = (kind: LookupKind, profile: string | undefined) => Promise<readonly Candidate[]>

/**
 * Candidates for the last word, which may be unfinished. `words` are those after `docent`. The shell completes file
 * names itself.
 */
export async function findCandidates(
  program: Command,
  words: readonly string[],
  lookup: Lookup,
): Promise<readonly Candidate[]> {
  const last = words.at(-1) ?? ''
  const { command, places, open, profile } = readWords(program, words.slice(0, -1))
  const all = await candidatesFor({ command, places, open, last }, (kind) => lookup(kind, profile))
  return all.filter(({ word }) => word.startsWith(last))
}

type Read = {
  command: Command
  /** Number of arguments that are given. */
  places: number
  /** The option that the next word is the value of. */
  open: Option | null
  profile: string | undefined
}

function readWords(program: Command, words: readonly string[]): Read {
  const read: Read = { command: program, places: 0, open: null, profile: undefined }
  for (const word of words) {
    if (read.open) {
      if (read.open.long === '--profile') read.profile = word
      read.open = null
    } else if (word.startsWith('-')) {
      read.open =
        read.command.options.find((option) => takesValue(option) && [option.long, option.short].includes(word)) ?? null
    } else {
      const sub = read.command.commands.find((command) => command.name() === word)
      if (sub) read.command = sub
      else read.places++
    }
  }
  return read
}

const takesValue = (option: Option): boolean => option.required || option.optional

type Place = Pick<Read, 'command' | 'places' | 'open'> & { last: string }

async function candidatesFor(
  { command, places, open, last }: Place,
  lookup: (kind: LookupKind) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (open) {
    if (open.argChoices) return open.argChoices.map(plain)
    if (open.long === '--profile') return lookup('profile')
    return open.long === '--server' ? lookup('server') : []
  }
  if (last.startsWith('-')) return command.options.flatMap(optionCandidate)
  if (command.commands.length > 0) return command.commands.filter(isShown).map(commandCandidate)
  const argument = argumentAt(command.registeredArguments, places)
  if (argument?.argChoices) return argument.argChoices.map(plain)
  if (command.name() === 'use') return lookup('profile')
  const kind = LOOKUP_KINDS.find((each) => each === argument?.name())
  return kind ? lookup(kind) : []
}

/** The last argument can be a list. */
function argumentAt(all: readonly Argument[], at: number): Argument | undefined {
  const last = all.at(-1)
  return all[at] ?? (last?.variadic ? last : undefined)
}

const plain = (word: string): Candidate => ({ word, about: '' })
const optionCandidate = ({ long, description, hidden }: Option): Candidate[] =>
  long && !hidden ? [{ word: long, about: description }] : []
const commandCandidate = (command: Command): Candidate => ({ word: command.name(), about: command.description() })
/** Names that begin with an underscore are for scripts. */
const isShown = (command: Command): boolean => !command.name().startsWith('_')
