import { resolveLink } from '../resolve-link.ts'
import { escapeHtml } from './document-writer.ts'
import type { Parts } from './read-parts.ts'
import { readXml } from './read-xml.ts'
import { decoded } from '#lib/addresses/page-address.ts'

/** Reads the targets of the relations of a part by id (Open Packaging Conventions). Those inside of the file are paths. */
export function readRelations(parts: Parts, path: string): Map<string, string> {
  const targets = new Map<string, string>()
  const at = path.lastIndexOf('/') + 1
  const part = parts.get(`${path.slice(0, at)}_rels/${path.slice(at)}.rels`)
  if (part === undefined) return targets
  readXml(part, {
    open(_, { Id, Target, TargetMode }) {
      if (Id === undefined || Target === undefined) return
      targets.set(Id, TargetMode === 'External' ? Target : pathOf(Target, path))
    },
  })
  return targets
}

/** Resolves the address of a part: `../media/a.png`. */
export const pathOf = (address: string, base: string): string =>
  decoded(URL.parse(address, `file:///${encodeURI(base)}`)?.pathname.slice(1) ?? '')

/** Returns the opening tag of a link to a page, without brackets. Empty for any other target. */
export function linkMark(target = ''): string {
  const url = URL.canParse(target) ? resolveLink(target, target) : null
  return url === null ? '' : `a href="${escapeHtml(url)}"`
}

/** Titles that programs write by themselves. */
const DEFAULT_TITLE =
  /^(?:untitled|title|powerpoint presentation|word document|microsoft \w+ - .*)$|\.(?:docx?|pptx?|xlsx?|od[tps]|tex|html?)$/i

/** Reads the first text of an element, such as the title of a file. Empty if there is none. */
export function textOf(part: Uint8Array | undefined, element: string): string {
  let text = ''
  let isInside = false
  let isDone = false
  if (part === undefined) return text
  readXml(part, {
    open: (name) => void (isInside = name === element && !isDone),
    text: (piece) => isInside && (text += piece),
    close: (name) => {
      isInside = false
      isDone ||= name === element
    },
  })
  return text.trim()
}

/** Reads the title from the facts of a file. Empty if it has none, or one that its program wrote. */
export function readTitle(part: Uint8Array | undefined): string {
  const title = textOf(part, 'title')
  return DEFAULT_TITLE.test(title) ? '' : title
}
