import { safeAddress } from './markdown.ts'

/** Creates an element. Members of the element are set as properties, so that no value is parsed as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<Omit<HTMLElementTagNameMap[Tag], 'style' | 'children'>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** A link that opens in a new tab. Other schemes than http(s) give plain text. */
export function link(address: string, properties: Partial<HTMLAnchorElement>, ...children: (Node | string)[]): Node {
  const href = safeAddress(address)
  if (href === null) return element('span', {}, ...children)
  return element('a', { href, target: '_blank', rel: 'noopener', ...properties }, ...children)
}
