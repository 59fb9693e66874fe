import { isObject } from '#mcp/protocol/is-object.ts'

/** About 20,000 tokens. Clients refuse results beyond 25,000, and shorter ones leave models more room. */
export const RESULT_LIMIT = 60_000

/** The JSON text of a result, and a remark for each list that was cut. */
export type FittedResult = { text: string; remarks: string[] }

/** Serialises a result. While it is too long, its longest list is cut. */
export function fitResult(body: unknown, limit = RESULT_LIMIT): FittedResult {
  const copy = structuredClone(body)
  const remarks = new Map<string, string>()
  for (;;) {
    const text = JSON.stringify(copy)
    const [longest] = text.length > limit ? listsIn(copy).toSorted((a, b) => b.size - a.size) : []
    if (!longest || longest.list.length === 0) return { text, remarks: [...remarks.values()] }
    const { path, list, size } = longest
    const total = lengthAt(body, path)
    list.length = Math.max(0, Math.floor(list.length * Math.max(0, 1 - (text.length - limit) / size) - 1))
    remarks.set(
      path,
      `The list ${path} is cut: it has ${total.toLocaleString('en')} entries, of which ${list.length} are shown.`,
    )
  }
}

/** Serialises a list that is read in slices, up to the limit. `present` shortens its items. */
export async function fitList(
  slices: AsyncIterable<unknown>,
  present: (item: unknown) => unknown,
  limit = RESULT_LIMIT,
): Promise<FittedResult> {
  const texts: string[] = []
  let size = 0
  for await (const slice of slices) {
    for (const item of slice as readonly unknown[]) {
      const text = JSON.stringify(present(item))
      size += text.length + 1
      if (size > limit) {
        const remark = `The list is cut: it has more than these ${texts.length} entries.`
        return { text: `[${texts.join(',')}]`, remarks: [remark] }
      }
      texts.push(text)
    }
  }
  return { text: `[${texts.join(',')}]`, remarks: [] }
}

type FoundList = { path: string; list: unknown[]; size: number }

/** Lists of an object at any depth, but not inside of lists. */
function listsIn(value: unknown, path = ''): FoundList[] {
  if (Array.isArray(value)) return [{ path, list: value, size: JSON.stringify(value).length }]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => listsIn(member, path === '' ? name : `${path}.${name}`))
}

function lengthAt(body: unknown, path: string): number {
  const found = listsIn(body).find((each) => each.path === path)
  return found?.list.length ?? 0
}

/** A copy without the members at these paths, such as `sources.skipped`. Lists are passed through. */
export function omitMembers(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0) return value
  if (Array.isArray(value)) return value.map((item) => omitMembers(item, paths))
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (paths.includes(name)) return []
    const inner = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
    return [[name, omitMembers(member, inner)] as const]
  })
  return Object.fromEntries(entries)
}
