import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleEffect } from '@docent/contract/values/rule-effects'
import type { PlaceNames } from '@docent/server/grammar/place-names.ts'
import type { NamedSource } from '@docent/server/grammar/source-names.ts'
import { type CompiledRule, createRuleCompiler } from '@docent/server/rules/compile-rule.ts'
import { isOfVersion, versionInUrl } from '@docent/server/search/catalogue/page-version.ts'
import { conditionMatcher, ruleGlob } from '@docent/server/search/rules/active-rules.ts'
import { findPlaces } from '@docent/server/search/rules/find-places.ts'

/** What an owner expects: places up, down, out or alone, an order, and questions that meet the condition or do not. */
type Meaning = {
  up?: string[]
  down?: string[]
  out?: string[]
  only?: string[]
  order?: string[]
  most?: number
  of?: string
  same?: [from: string, to: string][]
  recent?: string
  /** Asks for more than a rule can do, which the answer says. */
  isWeak?: true
  version?: { up?: string[]; down?: string[] }
  code?: { up?: string[]; down?: string[] }
  asked?: string[]
  /** Met by a question about nothing in particular. By default only without `asked`. */
  byDefault?: boolean
  notAsked?: string[]
  questionLanguage?: string
  tool?: string[]
}

type Sentence = {
  id: number
  heldOut: boolean
  server: string
  language: string
  text: string
  means?: Meaning[]
  removed?: string[]
  /** `scope`: it asks for what no rule can do. `unclear`: it is not understood. `any`: either. */
  refused?: 'scope' | 'unclear' | 'any'
  /** A refusal is right too. */
  mayRefuse?: boolean
}

type Server = {
  sources: (NamedSource & { key: string })[]
  pages: Record<string, string[]>
  sections: Record<string, string[]>
}

type TestSet = { servers: Record<string, Server>; sentences: Sentence[] }

/** `right`: as meant, or rightly refused. `refused`: not done, and it says so. `wrong`: something else was accepted. */
export type Outcome = 'right' | 'refused' | 'wrong'

/** A page or a section of a page, as a place of a test server. */
type Place = { source: NamedSource & { key: string }; path: string; section: string | null }

const slug = (heading: string) => heading.toLowerCase().replaceAll(' ', '-')

function placesOf({ sources, pages, sections }: Server): Place[] {
  return sources.flatMap((source) =>
    (pages[source.key] ?? []).flatMap((path) => [
      { source, path, section: null },
      ...(source.key === 'docs' ? (sections[path] ?? []) : []).map((heading) => ({
        source,
        path,
        section: slug(heading),
      })),
    ]),
  )
}

export function placeNames({ sources, pages: paths, sections }: Server): PlaceNames {
  const pages = sources.flatMap(({ key, id, type }) =>
    (paths[key] ?? []).map((path) => ({
      path,
      title: () => path.split('/').at(-1)?.replaceAll('-', ' ') ?? '',
      type,
      sections: () =>
        (key === 'docs' ? (sections[path] ?? []) : []).map((heading) => ({ heading, anchor: slug(heading) })),
      sourceId: id,
    })),
  )
  const pagesOf = (sourceId: string | undefined) =>
    pages.filter((page) => sourceId === undefined || page.sourceId === sourceId)
  return {
    has: (glob, sourceId) => pagesOf(sourceId).some(({ path, type }) => ruleGlob(glob, type)(path)),
    hasVersion: (version) => pages.some(({ path }) => isOfVersion(versionInUrl(`//-${path}`), version)),
    find: (name) => findPlaces(pagesOf(name.sourceId), name),
  }
}

/** True if a place is meant by `wiki`, `/faq`, `wiki:/tips` or `/guides/webhooks#retries`. */
function isMeant(name: string, { source, path, section }: Place): boolean {
  if (!name.includes('/')) return source.key === name
  const [key, rest = name] = name.includes(':') ? name.split(':', 2) : ['docs', name]
  if (source.key !== key) return false
  const [wanted = '', anchor] = rest.split('#')
  if (anchor !== undefined) return path === wanted && section === anchor
  return path === wanted || path.startsWith(`${wanted}/`)
}

const isOn = (effect: RuleEffect, { source, path, section }: Place, server: Server): boolean => {
  if ('sourceId' in effect && effect.sourceId !== undefined && effect.sourceId !== source.id) return false
  if ('glob' in effect) {
    const anchor = effect.glob.split('#')[1]
    return ruleGlob(effect.glob, source.type)(path) && (anchor === undefined || anchor === section)
  }
  if (effect.kind === 'prefer_type') return source.type === effect.type
  return 'sourceId' in effect && server.sources.some(({ id }) => id === effect.sourceId)
}

/** The factor of a place under these effects: 0 if it is left out. */
function factorOf(place: Place, effects: readonly RuleEffect[], server: Server): number {
  let factor = 1
  const only = effects.filter(({ kind }) => kind === 'only_source' || kind === 'only_path')
  const wide = only.filter((effect) => effect.kind === 'only_source' || !('sourceId' in effect))
  const scoped = only.filter((effect) => effect.kind === 'only_path' && effect.sourceId === place.source.id)
  if (wide.length > 0 && !wide.some((effect) => isOn(effect, place, server))) factor = 0
  if (scoped.length > 0 && !scoped.some((effect) => isOn(effect, place, server))) factor = 0
  for (const effect of effects) {
    if (!isOn(effect, place, server)) continue
    if (effect.kind === 'exclude_path') factor = 0
    else if ('weight' in effect && effect.kind !== 'prefer_version' && effect.kind !== 'prefer_code')
      factor *= effect.weight
  }
  return factor
}

const sign = (factor: number): string => (factor === 0 ? 'out' : factor < 1 ? 'down' : factor > 1 ? 'up' : 'same')

/** True if the effects that apply to a call do what is meant, on every page of the server. */
function isAsMeant(effects: readonly RuleEffect[], meanings: readonly Meaning[], server: Server): boolean {
  const places = placesOf(server)
  const named = (names: string[] | undefined, place: Place) => names?.some((name) => isMeant(name, place)) ?? false
  const onlyNames = meanings.flatMap(({ only = [] }) => only)
  for (const place of places) {
    const factor = factorOf(place, effects, server)
    const isOut = meanings.some(({ out }) => named(out, place)) || (onlyNames.length > 0 && !named(onlyNames, place))
    const isUp = meanings.some(({ up, order }) => named(up, place) || named(order, place))
    const isDown = meanings.some(({ down }) => named(down, place))
    const wanted = isOut ? 'out' : isUp ? 'up' : isDown ? 'down' : 'same'
    if (sign(factor) !== wanted && !(isUp && isDown)) return false
  }
  for (const { order = [] } of meanings) {
    const factors = order.map((name) => {
      const place = places.find((one) => isMeant(name, one))
      return place ? factorOf(place, effects, server) : 1
    })
    if (factors.some((factor, index) => index > 0 && factor >= (factors[index - 1] ?? 0))) return false
  }
  return true
}

function isOtherAsMeant(effects: readonly RuleEffect[], meanings: readonly Meaning[], server: Server): boolean {
  const given = <K extends RuleEffect['kind']>(kind: K) =>
    effects.flatMap((effect) => (effect.kind === kind ? (effect as Extract<RuleEffect, { kind: K }>) : []))
  const same = given('expand_terms').flatMap(({ from, to }) => to.map((one) => `${from} ${one}`))
  const wantedSame = meanings.flatMap((meaning) => (meaning.same ?? []).map(([from, to]) => `${from} ${to}`))
  const keyOf = (sourceId: string | undefined) => server.sources.find(({ id }) => id === sourceId)?.key ?? ''
  const most = given('max_per_source').map(({ n, sourceId }) => `${n} ${keyOf(sourceId)}`)
  const wantedMost = meanings.flatMap(({ most: number, of = '' }) => (number === undefined ? [] : `${number} ${of}`))
  const sideOf = (name: string | undefined, weight: number) => `${name ?? ''} ${weight > 1 ? 'up' : 'down'}`
  const versions = given('prefer_version').map(({ version, weight }) => sideOf(version, weight))
  const codes = given('prefer_code').map(({ language, weight }) => sideOf(language, weight))
  const wantedSides = (key: 'version' | 'code') =>
    meanings.flatMap((meaning) => [
      ...(meaning[key]?.up ?? []).map((one) => sideOf(one, 2)),
      ...(meaning[key]?.down ?? []).map((one) => sideOf(one, 0)),
    ])
  const equal = (a: string[], b: string[]) => JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())
  return (
    equal(same, wantedSame) &&
    equal(most, wantedMost) &&
    equal(versions, wantedSides('version')) &&
    equal(codes, wantedSides('code')) &&
    given('prefer_recent').length > 0 === meanings.some(({ recent }) => recent !== undefined)
  )
}

/** Calls to try the effects on: those that meet the condition of each part, those that do not, and any. */
function isRight({ effects, removed, weakened }: CompiledRule, sentence: Sentence, server: Server): boolean {
  const { means = [] } = sentence
  if (means.some(({ isWeak }) => isWeak) && weakened.length === 0) return false
  const overlap = (a: string, b: string) => a.includes(b) || b.includes(a)
  const expected = sentence.removed ?? []
  if (
    !expected.every((part) => removed.some((one) => overlap(one, part))) ||
    !removed.every((one) => expected.some((part) => overlap(one, part)))
  )
    return false
  const calls = [
    ...means
      .flatMap(({ asked = [], notAsked = [] }) => [...asked, ...notAsked])
      .map((query) => ({ query, tool: 'search_docs' })),
    ...means.flatMap(({ questionLanguage }) =>
      questionLanguage ? [{ query: SAMPLES[questionLanguage] ?? '', tool: 'search_docs' }] : [],
    ),
    ...means.flatMap(({ tool = [] }) => tool.map((name) => ({ query: 'xyz', tool: name }))),
    { query: 'xyz', tool: 'search_docs' },
  ]
  return calls.every((call) => {
    const matches = conditionMatcher(call)
    const active = effects.filter((effect) => matches(effect.when))
    const meant = means.filter((meaning) => {
      if (meaning.tool) return meaning.tool.includes(call.tool)
      if (meaning.questionLanguage) return call.query === SAMPLES[meaning.questionLanguage]
      if (meaning.asked?.includes(call.query)) return true
      if (meaning.notAsked?.includes(call.query)) return false
      // An unlisted question: it meets no condition, unless the part has only exceptions.
      return meaning.asked === undefined || call.query === 'xyz' ? isDefault(meaning) : null
    })
    return isAsMeant(active, meant, server) && isOtherAsMeant(active, meant, server)
  })
}

/** True for a meaning whose condition is met by a question about nothing in particular. */
const isDefault = (meaning: Meaning): boolean =>
  meaning.byDefault ??
  (meaning.asked === undefined && meaning.tool === undefined && meaning.questionLanguage === undefined)

const SAMPLES: Record<string, string> = { de: 'Wie kann ich das einrichten?' }

export type Judged = { sentence: Sentence; outcome: Outcome; compiled: CompiledRule }

export function judgeMeanings(): Judged[] {
  const set = JSON.parse(readFileSync(join(import.meta.dirname, 'meanings.json'), 'utf8')) as TestSet
  const compile = createRuleCompiler()
  return set.sentences.map((sentence) => {
    const server = set.servers[sentence.server]
    if (server === undefined) throw new Error(`There is no server "${sentence.server}".`)
    const compiled = compile(sentence.text, { sources: server.sources, sourceId: null, places: placeNames(server) })
    return { sentence, outcome: judge(sentence, compiled, server), compiled }
  })
}

export function judge(sentence: Sentence, compiled: CompiledRule, server: Server): Outcome {
  const isRefused =
    compiled.unclear.length > 0 ||
    compiled.effects.length === 0 ||
    compiled.contradictions.some(({ isTotal }) => isTotal)
  if (isRefused) {
    if (sentence.mayRefuse) return 'right'
    if (sentence.refused === undefined) return 'refused'
    const kind = compiled.isOutOfScope && compiled.unclear.length === 0 ? 'scope' : 'unclear'
    return sentence.refused === 'any' || sentence.refused === kind ? 'right' : 'refused'
  }
  return sentence.refused === undefined && isRight(compiled, sentence, server) ? 'right' : 'wrong'
}
