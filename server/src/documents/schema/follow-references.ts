import { isOfApi, type LibraryPage, type OpenPage } from '../library-page.ts'
import type { Library } from '../library.ts'
import type { Section } from '../model/document.ts'
import { codeIn } from '../model/read-block.ts'

/** The schema that a `$ref` names: its text and place. */
export type Referenced = { ref: string; page: OpenPage; section: Section; text: string }

/** Maximum number of schemas, and of their characters. Larger ones have places of their own. */
const MOST = 24
const MOST_TEXT = 10_000
const REF = /"\$ref":\s*"([^"\s]{1,500})"/g
/** Files with one name that are opened to compare their ids, and characters in which a page says its id. */
const MOST_ALIKE = 60
const MOST_BEFORE_ID = 2_000

/**
 * Finds the schemas that a JSON Schema refers to, and those that they refer to, nearest first: definitions of the same
 * document, other files of the source, and schemas with the address as their `$id`. Omits what the source does not have.
 */
export async function followReferences(library: Library, page: OpenPage, text: string): Promise<Referenced[]> {
  const source: Source = { library, sourceId: page.sourceId, pages: null }
  const found: Referenced[] = []
  const seen = new Set<string>()
  const open = [{ page, text }]
  let left = MOST_TEXT
  for (let from = open.shift(); from !== undefined; from = open.shift()) {
    for (const ref of refsIn(from.text)) {
      const target = await targetOf(source, from.page, ref)
      const key = target === null ? '' : `${target.page.url} ${target.section.start}`
      if (target === null || seen.has(key) || target.text.length > left || found.length >= MOST) continue
      seen.add(key)
      left -= target.text.length
      found.push({ ref, ...target })
      open.push(target)
    }
  }
  return found
}

function refsIn(text: string): string[] {
  return [...new Set([...text.matchAll(REF)].map(([, ref = '']) => ref))].slice(0, MOST)
}

type Target = Omit<Referenced, 'ref'>
/** `pages` are all of the source, read on first use. */
type Source = { library: Library; sourceId: string; pages: readonly LibraryPage[] | null }

async function targetOf(source: Source, from: OpenPage, ref: string): Promise<Target | null> {
  const [file = '', pointer = ''] = ref.split('#', 2)
  const name = nameIn(pointer)
  if (isOfApi(from)) return name === null || file !== '' ? null : schemaOfApi(source, from, name)
  const page = file === '' ? from : await pageOfFile(source, from, file)
  return page && schemaOn(page, name)
}

/** `license` of `/definitions/license`. Null for a whole document. */
function nameIn(pointer: string): string | null {
  const last = pointer.slice(pointer.lastIndexOf('/') + 1)
  // A definition can be named by an address.
  const plain = last.replaceAll('~1', '/').replaceAll('~0', '~')
  return plain === '' ? null : plain.replace(/^.*\//, '').replace(/(?:\.schema)?\.json$/, '')
}

async function schemaOfApi({ library, sourceId }: Source, from: OpenPage, name: string): Promise<Target | null> {
  const file = from.url.split('?', 1)[0] ?? from.url
  const named = await library.named({ name: `${name} (schema)` }, { sourceId })
  const own = named.find(({ page, entry }) => entry === null && page.url.startsWith(`${file}?`))
  const [page] = own ? await library.open([own.page]) : []
  return page ? schemaOn(page, null) : null
}

/** The page of a file at its address from here, or of a schema with the address as its id. */
async function pageOfFile(source: Source, from: OpenPage, file: string): Promise<OpenPage | null> {
  const { library, sourceId } = source
  const address = URL.parse(file, from.url)
  const [at] = address === null ? [] : await library.pagesAt([address.href], { sourceId })
  if (at) return (await library.open([at]))[0] ?? null
  if (!/^[a-z]+:/i.test(file)) return null
  source.pages ??= await library.all({ sourceId })
  const name = file.slice(file.lastIndexOf('/'))
  const like = source.pages.filter(({ url }) => url.endsWith(name)).slice(0, MOST_ALIKE)
  const opened = await library.open(like)
  return opened.find(({ markdown }) => markdown.slice(0, MOST_BEFORE_ID).includes(`\`${file}\``)) ?? null
}

/** The JSON of a definition, or of the whole document. */
function schemaOn(page: OpenPage, name: string | null): Target | null {
  const section =
    name === null ? page.sections[0] : page.sections.findLast(({ heading }) => heading === `${name} (schema)`)
  const inside = page.sections.filter(({ start }) => section && start >= section.start && start < section.close)
  const code = inside.flatMap(({ blocks }) => codeIn(page.markdown, blocks)).find(({ language }) => language === 'json')
  return section === undefined || code === undefined ? null : { page, section, text: code.text.trim() }
}
