import { linesOf, type Code, codeIn } from '../model/read-block.ts'
import type { OpenPage } from '../library-page.ts'
import type { Section, Span } from '../model/document.ts'
import data from './variants.json' with { type: 'json' }

/** Alternatives of which a reader follows one. The text of the chosen one is inside the span. */
export type Variants = Span & { chosen: string; others: string[]; isAsked: boolean }

/** A part of a page for one variant. `names` are those in its label, all of one kind. `rest` has its other words. */
type Variant = Span & Label
type Label = { label: string; kind: string; names: Set<string>; order: number; rest: string }

/** Words allowed in a heading beside the name of its variant: `Installing on macOS (Apple silicon)`. */
const AROUND = new Set(data.around.split(' '))
const LONGEST_LABEL = 60
/** Maximum number of other words, such as the name of the product. All alternatives must have the same. */
const MOST_REST = 2
/** Maximum bold lines per section; more of them cannot be tabs. */
const MOST_LABELS = 100
/** A line in bold marks a tab where tabs have no headings. */
const BOLD_LINE = /^\*\*([^*\n]{1,60})\*\*:?[ \t]*$/

/**
 * Finds the variants on a page: neighbouring sections, or tabs within one, named after systems, package managers or
 * languages. Variants are alternatives, not a sequence. `topic` selects a variant if it names one. `isLeftOut` is true
 * for a section of another variant. `partOf` returns the text and code of a section without other variants.
 */
export function chooseVariants({ markdown, sections }: OpenPage, topic = '') {
  const wanted = namesIn(topic)
  const told: Variants[] = []
  const choose = (group: readonly Variant[], within?: Section): Variant[] => {
    const place = ({ names, order }: Variant) => -agreement(names, wanted) || order
    const chosen = group.reduce((best, each) => (place(each) < place(best) ? each : best))
    // A section can have the same tabs several times, for one command after the other.
    const others = group.filter((each) => nameOf(each) !== nameOf(chosen))
    const { start, end } = within ?? chosen
    const isAsked = agreement(chosen.names, wanted) > 0
    told.push({ chosen: chosen.label, others: [...new Set(others.map(({ label }) => label))], isAsked, start, end })
    return others
  }
  const left = siblingGroups(sections).flatMap((group) => choose(group))
  return {
    told,
    isLeftOut: (section: Section) => left.some((part) => isInside(section, part)),
    partOf(section: Section): { text: string; code: Code[] } {
      const tabs = groupsOf(tabsOf(markdown, section))
      const groups = tabs.length > 0 ? tabs : groupsOf(codeTabsOf(markdown, section))
      const others = groups.flatMap((group) => choose(group, section)).toSorted((a, b) => a.start - b.start)
      const starts = [section.body, ...others.map(({ end }) => end)]
      const kept = starts.map((start, at) => markdown.slice(start, others[at]?.start ?? section.end))
      const code = codeIn(markdown, section.blocks).filter((block) => !others.some((part) => isInside(block, part)))
      return { text: kept.join('').trim(), code }
    },
  }
}

function isInside({ start }: Span, outer: Span): boolean {
  return outer.start <= start && start < outer.end
}

function nameOf({ names }: Label): string {
  return [...names].join()
}

/** Sibling sections named after variants of one kind. */
function siblingGroups(sections: readonly Section[]): Variant[][] {
  const parents = new Map<Section | undefined, Variant[]>()
  const open: Section[] = []
  for (const section of sections) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= section.level) open.pop()
    const parent = open.at(-1)
    open.push(section)
    const variant = section.level === 0 ? null : variantOf(section.heading)
    if (variant === null) continue
    const siblings = parents.get(parent) ?? []
    siblings.push({ ...variant, start: section.start, end: section.close })
    parents.set(parent, siblings)
  }
  return [...parents.values()].flatMap(groupsOf)
}

/** Groups of at least two variants of one kind with different names and the same other words. */
function groupsOf(variants: readonly Variant[]): Variant[][] {
  return [...Map.groupBy(variants, ({ kind, rest }) => `${kind}: ${rest}`).values()].filter(
    (group) => new Set(group.map(nameOf)).size > 1,
  )
}

/** Tabs within a section: bold lines named after variants, each with the text below it. */
function tabsOf(text: string, { blocks, end }: Section): Variant[] {
  const lines = blocks.flatMap((block) => (block.kind === 'code' ? [] : [...linesOf(text, block)]))
  const labels = lines
    .map((line) => ({ start: line.start, label: BOLD_LINE.exec(text.slice(line.start, line.end))?.[1] }))
    .filter(({ label }) => label !== undefined)
    .slice(0, MOST_LABELS)
  return labels.flatMap(({ start, label = '' }, at) => {
    const variant = variantOf(label)
    if (variant === null) return []
    // The last tab ends with its code, or else its paragraph. Later text applies to all variants.
    const below = blocks.filter((block) => block.start > start)
    const last = below.find(({ kind }) => kind === 'code') ?? below[0]
    return [{ ...variant, start, end: labels[at + 1]?.start ?? last?.end ?? end }]
  })
}

/** Consecutive blocks of code, each for one variant by the line above (`With npm:`) or its first command. */
function codeTabsOf(text: string, { blocks }: Section): Variant[] {
  const runs: Variant[][] = [[]]
  let lines: Span[] = []
  for (const block of blocks) {
    if (block.kind !== 'code') {
      lines.push(...linesOf(text, block).filter(({ start, end }) => text.slice(start, end).trim() !== ''))
      continue
    }
    const above = lines.at(-1) ?? { start: block.start, end: block.start }
    const named = variantOf(text.slice(above.start, above.end).replace(/^[-*+][ \t]+|:[ \t]*$/g, ''))
    const variant = named ?? variantOf(managerOf(text.slice(block.codeStart, block.codeEnd)) ?? '')
    // Other text between two blocks makes them two steps.
    if (variant === null || lines.length > (named ? 1 : 0)) runs.push([])
    if (variant) runs.at(-1)?.push({ ...variant, start: named ? above.start : block.start, end: block.end })
    lines = []
  }
  return runs.filter((run) => run.length > 1).flat()
}

/** The variant named by a heading or label, or null if it has many other words. */
function variantOf(label: string): Label | null {
  if (label.length > LONGEST_LABEL) return null
  const { found, rest } = readNames(label)
  const others = rest.filter((word) => !AROUND.has(word) && !/^[\d.]+$/.test(word))
  const [first] = found
  if (!first || others.length > MOST_REST || found.some(({ kind }) => kind !== first.kind)) return null
  const names = new Set(found.map(({ name }) => name))
  const order = Math.min(...found.map((each) => each.order))
  return { label: label.trim(), kind: first.kind, names, order, rest: others.join(' ') }
}

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
function readNames(text: string): { found: VariantName[]; rest: string[] } {
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

/** True if a text names variants, and nothing else: `on Windows`. */
export function namesOnlyVariants(text: string): boolean {
  const { found, rest } = readNames(text)
  return found.length > 0 && rest.every((word) => AROUND.has(word))
}

/** Operating systems and platforms named in a text. `Arch Linux` names only the distribution, and `Unix` none. */
export function systemsIn(text: string): Set<string> {
  const systems = readNames(text).found.filter(({ kind, name }) => kind === 'system' && name !== 'unix')
  const names = new Set(systems.map(({ name }) => name))
  if (!names.isDisjointFrom(DISTRIBUTIONS)) names.delete('linux')
  return names
}

/** 2 for the same name, 1 for Linux and a distribution or Unix and one of its kind, else 0. */
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
