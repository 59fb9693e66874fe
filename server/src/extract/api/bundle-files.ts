import { isRecord, type Loose } from './loose-json.ts'
import { parseData } from './parse-data.ts'
import { escapePointer } from './references.ts'
import { refersOutside } from './refers-outside.ts'

/** Referenced files, by URL. */
export type DescriptionFiles = Readonly<Record<string, string>>

/** Key of the other files in the bundle. */
const HOME = 'x-docent-files'

/** Returns the URLs, without fragments and duplicates, of all files that a description or its parts refer to. */
export function findOutsideFiles({ parts }: { parts: readonly { text: string; url: string }[] }): string[] {
  return [...new Set(parts.flatMap(outsideOf))]
}

function outsideOf({ text, url }: { text: string; url: string }): string[] {
  if (!refersOutside(text)) return []
  const data = parseData(text)
  if (data.kind === 'rejected') return []
  const found = new Set<string>()
  for (const holder of references(data.value)) {
    const target = URL.parse(holder.$ref, url)
    if (!target || holder.$ref.startsWith('#')) continue
    target.hash = ''
    if (target.href !== withoutHash(url)) found.add(target.href)
  }
  return [...found]
}

/**
 * Bundles a description with its referenced files and rewrites the references to stay inside. Skips unreadable files
 * and leaves references to them unchanged.
 */
export function bundleFiles(root: Loose, url: string, files: DescriptionFiles): Loose {
  const values = new Map<string, unknown>()
  const names = new Map<string, string>()
  for (const [address, text] of Object.entries(files)) {
    const data = parseData(text)
    if (data.kind === 'rejected') continue
    values.set(address, data.value)
    names.set(address, freeName(address, new Set(names.values())))
  }
  if (values.size === 0) return root
  for (const [address, value] of [[withoutHash(url), root] as const, ...values]) {
    const home = names.get(address)
    for (const holder of references(value)) {
      const target = URL.parse(holder.$ref, address)
      if (!target) continue
      const pointer = target.hash.slice(1)
      target.hash = ''
      const name = names.get(target.href)
      if (name !== undefined) holder.$ref = `#/${HOME}/${escapePointer(name)}${pointer}`
      else if (target.href === withoutHash(url) && home !== undefined) holder.$ref = `#${pointer}`
    }
  }
  const bundled = [...values].map(([address, value]) => [names.get(address) ?? address, value])
  return { ...root, [HOME]: Object.fromEntries(bundled) }
}

/** Names a file by the last part of its URL, with a number if that is taken. */
function freeName(address: string, taken: ReadonlySet<string>): string {
  const base = new URL(address).pathname.split('/').at(-1) || 'file'
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${number}-${base}`
  return name
}

/** Yields every mapping with a `$ref`, each once, without recursion. */
function* references(value: unknown): Generator<Loose & { $ref: string }> {
  const open: unknown[] = [value]
  const seen = new Set<unknown>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    if (isRecord(next) && typeof next['$ref'] === 'string') yield next as Loose & { $ref: string }
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) open.push(child)
  }
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url
}
