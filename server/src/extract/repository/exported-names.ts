import type { Node } from 'web-tree-sitter'

/** Maximum length of an export list, in characters. Longer ones are generated. */
const MAX_TEXT = 20_000

/**
 * Returns the names that a JavaScript or TypeScript file exports apart from their declarations: in a list, as default,
 * or through CommonJS.
 */
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
