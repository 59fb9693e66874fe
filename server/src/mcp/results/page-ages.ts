import { isoTime } from '#lib/clock.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { defined, isObject } from '#lib/objects.ts'
import type { AgedPage, ToolContext, ToolResult } from '../definition/tool.ts'

type Age = { readAt: number; changedAt: number | null }
type AgeOf = (page: AgedPage) => Age | undefined

/** Loads the ages of cited pages. A fragment can be part of the address of a page, or name a section of it. */
async function loadAges(context: Pick<ToolContext, 'loadAges'>, cited: readonly AgedPage[]): Promise<AgeOf> {
  const addresses = cited.flatMap(({ sourceId, url }) => [
    { sourceId, url },
    { sourceId, url: withoutSection(url) },
  ])
  const ages = cited.length === 0 ? [] : ((await context.loadAges?.(addresses)) ?? [])
  const byPage = new Map(ages.map((age) => [`${age.sourceId} ${age.url}`, age]))
  return ({ sourceId, url }) => byPage.get(`${sourceId} ${url}`) ?? byPage.get(`${sourceId} ${withoutSection(url)}`)
}

/** Members of structured results that cite a page each. */
const CITING = ['results', 'citations'] as const

/** Adds to each citation of a structured result when its page was read, and when it last changed, if that is known. */
export async function withAges(context: Pick<ToolContext, 'loadAges'>, result: ToolResult): Promise<ToolResult> {
  const { structuredContent } = result
  const cited = CITING.flatMap((name) => structuredContent?.[name] ?? []).filter(isCited)
  if (structuredContent === undefined || cited.length === 0) return result
  const ageOf = await loadAges(context, cited)
  const aged = (one: unknown) => (isCited(one) ? { ...one, ...present(ageOf(one)) } : one)
  const members = CITING.flatMap((name) => {
    const list = structuredContent[name]
    return Array.isArray(list) ? [[name, list.map(aged)] as const] : []
  })
  return { ...result, structuredContent: { ...structuredContent, ...Object.fromEntries(members) } }
}

const isCited = (value: unknown): value is AgedPage =>
  isObject(value) && typeof value['sourceId'] === 'string' && typeof value['url'] === 'string'

function present(age: Age | undefined) {
  if (age === undefined) return {}
  const { readAt, changedAt } = age
  return { readAt: isoTime(readAt), ...defined({ changedAt: changedAt === null ? undefined : isoTime(changedAt) }) }
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** Notes cited pages that have not changed for more than a year by the dates of their site. */
export async function ageNotes(
  context: Pick<ToolContext, 'loadAges'>,
  cited: readonly (AgedPage & { n: number })[],
): Promise<string[]> {
  const ageOf = await loadAges(context, cited)
  const old = cited.flatMap(({ n, ...page }) => {
    const changedAt = ageOf(page)?.changedAt ?? null
    return changedAt !== null && changedAt < Date.now() - YEAR_MS ? [`[${n}] ${isoTime(changedAt).slice(0, 10)}`] : []
  })
  return old.length === 0 ? [] : [`Not changed for more than a year: ${old.join(', ')}.`]
}
