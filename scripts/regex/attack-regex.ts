import type { AST } from '@eslint-community/regexpp'
import { RegExpParser } from '@eslint-community/regexpp'

/** A text on which a regular expression takes more than linear time: `start`, `pump` repeated, and `end`. */
export type Attack = { start: string; pump: string; end: string; length: number; milliseconds: number }

/** Lengths in UTF-16 units. The short ones find exponential time before it hangs the check. */
const LENGTHS = [24, 48, 192, 1536, 6144]

/** Suspicious time of a text. At the longest length, linear time is .01 to .05 ms and quadratic time above 1 ms. */
const SUSPECT_MS = 0.5

/** If a quarter of the text takes this little, even quadratic time stays below suspicion. */
const PROBE = 1536
const HARMLESS_MS = SUSPECT_MS / 16

/** Proof without another measurement: bounded repetition takes up to 5 ms at these lengths. */
const PROOF_MS = 15

/** Processor time of a measurement: five ticks of 4 ms, in which some kernels count it. */
const MEASURED_MS = 20

/**
 * Texts up to this length normally take microseconds, so the first suspicion is proof; a longer text might never end.
 */
const SHORT = 48

/**
 * Factor of the length between two measurements. Time grows by 4 if linear, a little more with bounded repetition, and
 * 16 if quadratic.
 */
const LONGER = 4
const MAX_GROWTH = 9

/** Suspects collected per expression, and the number of the worst that are measured further. */
const MAX_SUSPECTS = 12
const MAX_TRIALS = 2

/** Bounded repetition below this is a constant factor. */
const LEAST_REPETITION = 20

/** Samples per part, each with other characters and alternatives. */
const SAMPLES = 6

/** Longer units would repeat too rarely in a text. */
const MAX_PUMP = 400

/** Ends that make a match fail or scan on: nothing, a line break, a character in few classes, a word. */
const ENDS = ['', '\n', '\u0000', 'x', '\nx\n\u0000']

/** Characters to sample classes from, besides those in the expression. */
const ALPHABET = [...' \t\n\r\u2028aA0_-.`<>[](){}|:;*#/\\"\'=,!?é\u0000']

/** Searches for a text on which `pattern` takes more than linear time. Null if none is found. Throws on bad syntax. */
export function attackRegex(pattern: RegExp): Attack | null {
  const { source, flags } = pattern
  const unicode = flags.includes('u')
  const tree = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode,
    unicodeSets: flags.includes('v'),
  })
  const alphabet = [...new Set([...ALPHABET, ...charactersOf(tree)])]
  const texts = new Map<string, { start: string; pump: string; end: string }>()
  for (const quantifier of quantifiersOf(tree)) {
    const ends = [...ENDS, strangerTo(quantifier, flags, alphabet)]
    const add = (start: string, pump: string) => {
      if (pump === '' || start.length + pump.length > MAX_PUMP) return
      for (const end of ends) texts.set(JSON.stringify([start, pump, end]), { start, pump, end })
    }
    for (let seed = 0; seed < SAMPLES; seed++) {
      const sampler = createSampler(flags, alphabet, seed)
      const before = pathTo(quantifier).map(sampler).join('')
      const element = sampler(quantifier.element) || sampler(quantifier.element)
      add(before, element)
      for (const start of ['', 'x']) add(start, element)
      for (const between of ['', '\n']) add('', between + before + element)
      add('', before)
      const { head, rest } = splitAtRepetition(pathTo(quantifier))
      add(head.map(sampler).join(''), rest.map(sampler).join('') + element)
    }
  }
  const run = runner(pattern)
  const suspects: Attack[] = []
  for (const text of texts.values()) {
    const suspect = suspects.length < MAX_SUSPECTS ? suspicion(run, text) : null
    if (suspect) suspects.push(suspect)
  }
  const worstFirst = suspects.toSorted((a, b) => b.milliseconds - a.milliseconds)
  return worstFirst.slice(0, MAX_TRIALS).find((attack) => isSuperLinear(run, attack)) ?? null
}

/** A character outside of the repeated class, to end the repetition. */
function strangerTo({ element }: AST.Quantifier, flags: string, alphabet: readonly string[]): string {
  if (element.type !== 'CharacterClass' && element.type !== 'CharacterSet') return ''
  const set = new RegExp(element.raw, flags.replaceAll(/[gym]/g, ''))
  return alphabet.findLast((character) => !set.test(character)) ?? ''
}

type Run = (text: string) => number

type Text = Pick<Attack, 'start' | 'pump' | 'end'>

function textOf({ start, pump, end }: Text, length: number): string {
  return start + pump.repeat(Math.ceil(length / pump.length)) + end
}

/** The text at the length at which its time becomes suspicious. */
function suspicion(run: Run, text: Text): Attack | null {
  const last = LENGTHS.at(-1) ?? 0
  for (const length of LENGTHS) {
    const whole = textOf(text, length)
    const first = run(whole)
    if (length === PROBE && first < HARMLESS_MS) return null
    if (first < SUSPECT_MS) continue
    const milliseconds = best(run, whole)
    const isEnough = length <= SHORT || length === last ? milliseconds >= SUSPECT_MS : milliseconds >= PROOF_MS
    if (isEnough) return { ...text, length, milliseconds }
  }
  return null
}

/** Measures a suspect again in processor time, to which other programs on the machine add nothing. */
function isSuperLinear(run: Run, attack: Attack): boolean {
  const milliseconds = processorTime(run, textOf(attack, attack.length))
  if (attack.length <= SHORT) return milliseconds >= SUSPECT_MS
  if (milliseconds >= PROOF_MS) return true
  return processorTime(run, textOf(attack, LONGER * attack.length)) > MAX_GROWTH * milliseconds
}

/** Milliseconds for all matches in a text, as the mean of several runs. */
function processorTime(run: Run, text: string): number {
  const before = process.threadCpuUsage()
  for (let times = 1; ; times++) {
    run(text)
    const { user, system } = process.threadCpuUsage(before)
    const milliseconds = (user + system) / 1000
    if (milliseconds >= MEASURED_MS) return milliseconds / times
  }
}

/** The best of three measurements: other programs on the machine only add to the time. */
function best(run: Run, text: string): number {
  return Math.min(run(text), run(text), run(text))
}

/** Elapsed milliseconds for all matches in a text. Sticky expressions are tried at the start. */
function runner(pattern: RegExp): Run {
  const all = new RegExp(pattern.source, pattern.flags)
  return (text) => {
    const started = performance.now()
    all.lastIndex = 0
    if (all.global && !all.sticky) text.replace(all, '')
    else all.exec(text)
    return performance.now() - started
  }
}

type Node = AST.Node

function quantifiersOf(node: Node): AST.Quantifier[] {
  const own = node.type === 'Quantifier' && node.max >= LEAST_REPETITION ? [node] : []
  return [...own, ...childrenOf(node).flatMap(quantifiersOf)]
}

function childrenOf(node: Node): Node[] {
  if (node.type === 'Alternative') return node.elements
  if (node.type === 'Quantifier') return [node.element]
  return 'alternatives' in node ? node.alternatives : []
}

/** Nodes that a match passes before `node`. */
function pathTo(node: Node): Node[] {
  const { parent } = node
  if (!parent || node.type === 'Pattern') return []
  if (parent.type !== 'Alternative') return pathTo(parent)
  return [...pathTo(parent), ...parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))]
}

/** Splits a path to a repetition after an enclosing one, because the part between them can be repeated too. */
function splitAtRepetition(path: readonly Node[]): { head: Node[]; rest: Node[] } {
  const at = path.findLastIndex((node) => quantifiersOf(node).length > 0)
  return { head: path.slice(0, at + 1), rest: path.slice(at + 1) }
}

function charactersOf(node: Node): string[] {
  if (node.type === 'Character') return [String.fromCodePoint(node.value)]
  if (node.type === 'CharacterClass') {
    return node.elements.flatMap((element) => {
      if (element.type === 'Character') return [String.fromCodePoint(element.value)]
      return element.type === 'CharacterClassRange' ? [String.fromCodePoint(element.min.value)] : []
    })
  }
  return childrenOf(node).flatMap(charactersOf)
}

/** Generates a text that a part of an expression matches. Assertions and back references yield nothing. */
function createSampler(flags: string, alphabet: readonly string[], seed: number): (node: Node) => string {
  // A linear congruential generator (Numerical Recipes), so that every run uses the same texts.
  let state = seed * 7919 + 1
  const random = (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
  const ofSet = (raw: string): string => {
    const set = new RegExp(`^${raw}$`, flags.replaceAll(/[gym]/g, ''))
    const members = alphabet.filter((character) => set.test(character))
    return (seed === 0 ? members[0] : members[random(members.length)]) ?? ''
  }
  const sample = (node: Node): string => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return ofSet(node.raw)
      case 'Quantifier': {
        const count = node.min > 0 ? node.min : seed === 0 ? 0 : Math.min(node.max, random(2))
        return Array.from({ length: count }, () => sample(node.element)).join('')
      }
      case 'Alternative':
        return node.elements.map(sample).join('')
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup': {
        const chosen = node.alternatives[seed === 0 ? 0 : random(node.alternatives.length)]
        return chosen ? sample(chosen) : ''
      }
      default:
        return ''
    }
  }
  return sample
}
