import { codeOf } from '../model/text-parts.ts'
import type { OpenPage } from '../library-page.ts'
import type { Section } from '../model/document.ts'
import { managerOf, agreement, NAMES, namesIn, ORDER, wordsOf } from './variant-names.ts'

/**
 * Alternatives of which a reader follows one: the chosen one, and the others. `isAsked` is true if the topic names it.
 * The text of the chosen one is between `start` and `end` in the page.
 */
export type Variants = { chosen: string; others: string[]; isAsked: boolean; start: number; end: number }

/** A part of a page for one variant. `names` are the names in its label, all of one kind. `rest` has its other words. */
type Variant = Label & { start: number; end: number }
type Label = { label: string; kind: string; names: string[]; rest: string }

/** Words allowed in a heading beside the name of its variant: `Installing on macOS (Apple silicon)`. */
const AROUND = new Set(
  'install installing installation setup set up on under for using with via the a an from use of in users user alike alikes like systems system steps instructions how to run running start quickstart getting started download package manager terminal prompt intel silicon recommended distributions based build building compile compiling enterprise gnu'.split(
    ' ',
  ),
)
const LONGEST_LABEL = 60
/** Maximum number of other words, such as the name of the product. All alternatives must have the same. */
const MOST_REST = 2
/** Maximum bold lines per section; more of them cannot be tabs. */
const MOST_LABELS = 100
/** A bold-only paragraph marks a tab where tabs have no headings. */
const BOLD_LINE = /^\*\*([^*\n]{1,60})\*\*:?[ \t]*$/gm

/**
 * Finds the variants on a page: neighbouring sections, or tabs within one, named after systems, package managers or
 * languages. Variants are alternatives, not a sequence. `topic` selects a variant if it names one. `isLeftOut` is true
 * for a section of another variant. `textOf` returns a section's text without other variants.
 */
export function chooseVariants(page: OpenPage, topic: string | undefined) {
  const wanted = topic === undefined ? new Set<string>() : namesIn(topic)
  const told: Variants[] = []
  const choose = (group: readonly Variant[], within?: Section): Variant[] => {
    const chosen = bestOf(group, wanted)
    // A section can have the same tabs several times, for one command after the other.
    const others = group.filter(({ names }) => names.join() !== chosen.names.join())
    const { start, end } = within ?? chosen
    const isAsked = agreement(chosen.names, wanted) > 0
    told.push({ chosen: chosen.label, others: [...new Set(others.map(({ label }) => label))], isAsked, start, end })
    return others
  }
  const leftOut = sectionsWithin(
    page.sections,
    siblingGroups(page.sections).flatMap((group) => choose(group)),
  )
  return {
    told,
    isLeftOut: (section: Section) => leftOut.has(section),
    textOf(section: Section): string {
      const text = page.markdown.slice(section.body, section.end)
      const tabs = groupsOf(tabsOf(text))
      const groups = tabs.length > 0 ? tabs : groupsOf(codeTabsOf(text))
      const others = groups.flatMap((group) => choose(group, section))
      return without(text, others).trim()
    },
  }
}

/** Sibling sections named after variants of one kind. */
function siblingGroups(sections: readonly Section[]): Variant[][] {
  const parents = new Map<Section | null, Variant[]>()
  const open: Section[] = []
  for (const section of sections) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= section.level) open.pop()
    const parent = open.at(-1) ?? null
    open.push(section)
    const variant = section.level === 0 ? null : variantOf(section.heading)
    if (!variant) continue
    const siblings = parents.get(parent) ?? []
    siblings.push({ ...variant, start: section.start, end: section.close })
    parents.set(parent, siblings)
  }
  return [...parents.values()].flatMap(groupsOf)
}

/** The sections of the variants, with their subsections. */
function sectionsWithin(sections: readonly Section[], variants: readonly Variant[]): Set<Section> {
  const ends = new Map(variants.map(({ start, end }) => [start, end]))
  let until = 0
  return new Set(
    sections.filter(({ start }) => {
      until = Math.max(until, ends.get(start) ?? 0)
      return start < until
    }),
  )
}

/** Groups of at least two variants of one kind with different names and the same other words. */
function groupsOf(variants: readonly Variant[]): Variant[][] {
  return [...Map.groupBy(variants, ({ kind, rest }) => `${kind}: ${rest}`).values()].filter(
    (group) => new Set(group.map(({ names }) => names.join())).size > 1,
  )
}

/** Tabs within a text: bold lines named after variants, each with the text below it. */
function tabsOf(text: string): Variant[] {
  const fences = codeOf(text)
  const isCode = (at: number) => fences.some(({ start, end }) => start <= at && at < end)
  const labels = text
    .matchAll(BOLD_LINE)
    .take(MOST_LABELS)
    .filter(({ index }) => !isCode(index))
    .toArray()
  return labels.flatMap(({ index, 1: label = '' }, at) => {
    const variant = variantOf(label)
    return variant ? [{ ...variant, start: index, end: labels[at + 1]?.index ?? endOfLast(index) }] : []
  })

  /** The last tab ends with its code, or else its paragraph. Later text applies to all variants. */
  function endOfLast(index: number): number {
    const code = fences.find(({ start }) => start > index)
    const paragraph = text.indexOf('\n\n', text.indexOf('\n\n', index) + 2)
    return code?.end ?? (paragraph < 0 ? text.length : paragraph)
  }
}

/**
 * Blocks of code that follow each other, each for one variant: named by the line above (`Install with npm:`), or by the
 * command that it begins with.
 */
function codeTabsOf(text: string): Variant[] {
  const fences = codeOf(text)
  const runs: Variant[][] = [[]]
  for (const [at, fence] of fences.entries()) {
    const before = text.slice(fences[at - 1]?.end ?? 0, fence.start)
    const lines = before.split('\n').filter((line) => line.trim() !== '')
    const above = lines.at(-1) ?? ''
    const named = variantOf(above.replace(/^[-*+][ \t]+|:[ \t]*$/g, ''))
    const command = managerOf(fence.text)
    const variant = named ?? (command === null ? null : variantOf(command))
    // Other text between two blocks makes them two steps.
    if (lines.length > (named ? 1 : 0)) runs.push([])
    if (variant === null) runs.push([])
    else {
      const start = named ? fence.start - before.length + before.lastIndexOf(above) : fence.start
      runs.at(-1)?.push({ ...variant, start, end: fence.end })
    }
  }
  return runs.filter((run) => run.length > 1).flat()
}

function without(text: string, parts: readonly Variant[]): string {
  let kept = ''
  let from = 0
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    kept += text.slice(from, Math.max(from, start))
    from = Math.max(from, end)
  }
  return kept + text.slice(from)
}

/** The variant named by a heading or label, or null if it has many other words. */
function variantOf(label: string): Label | null {
  if (label.length > LONGEST_LABEL) return null
  const rest: string[] = []
  const found: { kind: string; name: string }[] = []
  const words = wordsOf(label)
  for (let at = 0; at < words.length; at++) {
    const [word = '', next = ''] = words.slice(at, at + 2)
    const pair = NAMES.get(`${word} ${next}`)
    const known = pair ?? NAMES.get(word)
    if (pair) at++
    if (known) found.push(known)
    else if (!AROUND.has(word) && !/^[\d.]+$/.test(word) && word !== 'and' && word !== 'or') rest.push(word)
  }
  const [first] = found
  if (!first || rest.length > MOST_REST || found.some(({ kind }) => kind !== first.kind)) return null
  const names = [...new Set(found.map(({ name }) => name))]
  return { label: label.trim(), kind: first.kind, names, rest: rest.join(' ') }
}

/** The requested variant, else the first in the order of names. */
function bestOf(group: readonly Variant[], wanted: ReadonlySet<string>): Variant {
  const place = ({ names }: Variant) =>
    -agreement(names, wanted) || Math.min(...names.map((name) => ORDER.get(name) ?? Infinity))
  return group.reduce((best, each) => (place(each) < place(best) ? each : best))
}
