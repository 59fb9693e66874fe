import type { Node } from 'web-tree-sitter'

/** A list of exports longer than this is a table that a program wrote. */
const MAX_TEXT = 20_000

/** Names that a JavaScript or TypeScript file exports elsewhere than at their declaration: in a list, or to CommonJS. */
export function exportedNames(root: Node): Set<string> {
  const names = new Set<string>()
  for (const { type, text } of root.namedChildren) {
    const isList = type === 'export_statement' && /^export\s*(type\s*)?\{/.test(text) && !/\}\s*from\b/.test(text)
    const isDefault = type === 'export_statement' && /^export\s+default\s+[\w$]+\s*;?$/.test(text)
    const isCommonJs = type === 'expression_statement' && /^(module\.)?exports\b/.test(text)
    if ((!isList && !isDefault && !isCommonJs) || text.length > MAX_TEXT) continue
    for (const [name] of text.matchAll(/[\w$]+/g)) names.add(name)
  }
  return names
}
