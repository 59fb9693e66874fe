import type { Node } from 'web-tree-sitter'

/** Returns the name of a declaration, or `default` if it has none. */
export function symbolName(node: Node): string {
  const name = node.childForFieldName('name')?.text
  const receiver = /(?<!\w)(\w+)(\[[^[\]]*\])?\s*\)$/.exec(node.childForFieldName('receiver')?.text ?? '')?.[1]
  if (name !== undefined) return oneWord(receiver ? `${receiver}.${name}` : name)
  const declarator = node.childForFieldName('declarator')
  if (declarator) return oneWord(declaratorName(declarator))
  if (node.type === 'impl_item') return oneWord((node.childForFieldName('type')?.text ?? '').replace(/<.*/s, ''))
  const declared = node.namedChildren
    .map((child) => child.childForFieldName('name')?.text ?? '')
    .filter((text) => text !== '')
  return declared.length > 0 ? oneWord(declared.slice(0, 4).join(', ')) : 'default'
}

/** Descends to the identifier through pointers, references and function parameters. */
function declaratorName(declarator: Node): string {
  let at = declarator
  for (let step = 0; step < 8; step++) {
    const next = at.childForFieldName('declarator') ?? (at.type.endsWith('_declarator') ? at.firstNamedChild : null)
    if (!next) break
    at = next
  }
  return at.text
}

function oneWord(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200)
}
