import data from './variants.json' with { type: 'json' }

/** A variant by its canonical name. Without a preference the lowest `order` wins, so that all steps are for the same one. */
type VariantName = { kind: string; name: string; order: number }

const NAMES: ReadonlyMap<string, VariantName> = new Map(
  Object.entries(data.kinds).flatMap(([kind, names]) =>
    names.flatMap((words, order) => words.map((word) => [word, { kind, name: words[0] ?? word, order }] as const)),
  ),
)
/** Variants by the program that a command runs. */
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries(data.programs).flatMap(([name, programs]) => programs.map((program) => [program, name] as const)),
)
const ARTICLES = new Set(['a', 'an', 'the'])
const DISTRIBUTIONS: ReadonlySet<string> = new Set(['debian', 'redhat', 'suse', 'arch', 'alpine'])
/** Systems that follow instructions for `Unix`. macOS mostly has its own. */
const UNIXES: ReadonlySet<string> = DISTRIBUTIONS.union(new Set(['linux', 'freebsd', 'openbsd', 'netbsd']))

/** The variants named in a text, and its other words in lower case, without articles. */
export function readNames(text: string): { found: VariantName[]; rest: string[] } {
  const words = text
    .toLowerCase()
    .split(/[\s,/&|()[\]`:_-]+/)
    .map((word) => word.replace(/[.!?]$/, ''))
    .filter((word) => word !== '' && !ARTICLES.has(word))
  const found: VariantName[] = []
  const rest: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [word = '', next = ''] = words.slice(at, at + 2)
    // `React Native` is not `React`.
    const pair = NAMES.get(`${word} ${next}`)
    const known = pair ?? NAMES.get(word)
    if (pair) at++
    if (known) found.push(known)
    else rest.push(word)
  }
  return { found, rest }
}

/** Canonical names of the variants in a text. */
export function namesIn(text: string): Set<string> {
  return new Set(readNames(text).found.map(({ name }) => name))
}

/** Operating systems and platforms named in a text. `Arch Linux` names only the distribution, and `Unix` none. */
export function systemsIn(text: string): Set<string> {
  const systems = readNames(text).found.filter(({ kind, name }) => kind === 'system' && name !== 'unix')
  const names = new Set(systems.map(({ name }) => name))
  if (!names.isDisjointFrom(DISTRIBUTIONS)) names.delete('linux')
  return names
}

/**
 * How well names answer the wanted ones: 2 for the same name, 1 for Linux and one of its distributions or for Unix and
 * one of its kind, else 0.
 */
export function agreement(names: ReadonlySet<string>, wanted: ReadonlySet<string>): 0 | 1 | 2 {
  if (!names.isDisjointFrom(wanted)) return 2
  const isKin =
    (names.has('unix') && !wanted.isDisjointFrom(UNIXES)) ||
    (names.has('linux')
      ? names.size === 1 && !wanted.isDisjointFrom(DISTRIBUTIONS)
      : wanted.has('linux') && !names.isDisjointFrom(DISTRIBUTIONS))
  return isKin ? 1 : 0
}

/** Lines at the start of a block that are read. */
const MOST_LINES = 5

/** The variant that the first command of a block is for. Null if the command says nothing about it. */
export function managerOf(code: string): string | null {
  const lines = code.split('\n', MOST_LINES).map((line) => line.trim())
  const command = lines.find((line) => line !== '' && !line.startsWith('#')) ?? ''
  const [program = ''] = command
    .replace(/^[$>%] /, '')
    .replace(/^sudo /, '')
    .split(/\s/, 1)
  // An installer that is piped into a shell is for Linux and macOS.
  if (program === 'curl' && /\|\s?(?:sh|bash|zsh)\b/.test(command)) return 'linux'
  return PROGRAMS.get(program.toLowerCase()) ?? null
}
