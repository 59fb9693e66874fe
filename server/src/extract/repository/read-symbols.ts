import type { Node } from 'web-tree-sitter'
import { docText, isAdjacent } from './doc-text.ts'
import { type LanguageName, type SymbolRules, symbolRules, type Where } from './code-languages.ts'

/** A public symbol of a code file. */
export type CodeSymbol = {
  /** Name qualified with the enclosing symbols. */
  name: string
  /** 0 at the top of the file, 1 for a member, and so on. */
  depth: number
  signature: string
  /** Comment as Markdown, or empty. */
  doc: string
  line: number
}

/** Maximum number of symbols per file. Generated interfaces have a few hundred; nobody reads further. */
const MAX_SYMBOLS = 2_000
/** Maximum nesting of namespaces, preprocessor conditions and the like. */
const MAX_DEPTH = 12
/** Maximum nesting of symbols: a member of a class in a class in a module is still worth a look-up. */
const MAX_NESTING = 3

/** Context that a node inherits from its wrapper. */
type Context = Where & {
  owner: string
  depth: number
  /** Comments directly above the node. */
  comments: Node[]
  /** Wrapper that starts the signature, if any: `export`, decorators, `template`. */
  from: Node | null
  level: number
}

/** Returns the public symbols of a parsed file in order, with signatures and comments. */
export function readSymbols(root: Node, language: LanguageName): CodeSymbol[] {
  const rules = symbolRules(language)
  const symbols: CodeSymbol[] = []
  const exported = language === 'typescript' ? exportedNames(root) : new Set<string>()
  const top = { inside: null, access: '', owner: '', depth: 0, comments: [], from: null, level: 0 }
  visitAll(rules, root, symbols, { ...top, exported })
  return symbols
}

function visitAll(rules: SymbolRules, parent: Node, symbols: CodeSymbol[], context: Context): void {
  let { comments, access } = context
  let last: Node | null = null
  for (const node of parent.namedChildren) {
    if (symbols.length >= MAX_SYMBOLS) return
    if (isComment(node)) {
      comments = last && isAdjacent(last, node) ? [...comments, node] : [node]
      last = node
      continue
    }
    if (node.type === 'attribute_item') {
      // An attribute may separate a comment from its declaration.
      last &&= node
      continue
    }
    if (node.type === 'access_specifier') access = node.text.replace(/\W/g, '')
    if (node.type === 'identifier' && /^(public|private|protected)$/.test(node.text)) access = node.text
    // Inherited comments belong to the first node. Later nodes have their own comments, or none.
    const own = last === null || isAdjacent(last, node) ? comments : []
    visit(rules, node, symbols, { ...context, access, comments: own })
    comments = []
    last = null
  }
}

function visit(rules: SymbolRules, node: Node, symbols: CodeSymbol[], context: Context): void {
  const { owner, depth, comments, from, level } = context
  if (level > MAX_DEPTH) return
  const isWhole = rules.isWhole(node)
  const isContainer = !isWhole && rules.containers.has(node.type)
  if (!isContainer && !rules.callables.has(node.type) && !isWhole) {
    if (!rules.through.has(node.type)) return
    const wraps = /^(export_statement|ambient_declaration|decorated_definition|template_declaration)$/.test(node.type)
    const given = wraps ? { comments, from: from ?? node } : { comments: [], from: null }
    return visitAll(rules, node, symbols, { ...context, ...given, level: level + 1 })
  }
  if (!rules.isPublic(node, context)) return
  const own = symbolName(node)
  const name = owner ? `${owner}${rules.joint(node)}${own}` : own
  const body = node.childForFieldName('body')
  // A container without a body is a forward declaration.
  if (isContainer && !body && node.type !== 'record_declaration') return
  // An `impl` has members but is not itself a symbol.
  if (node.type !== 'impl_item') {
    const signature = signatureOf(node, from ?? node, isWhole)
    symbols.push({ name, depth, signature, doc: docText(comments, body), line: node.startPosition.row + 1 })
  }
  if (!isContainer || !body || depth >= MAX_NESTING) return
  // In Ruby, the first member's comment precedes the body.
  const before = node.namedChildren.filter((child) => isComment(child) && child.startIndex < body.startIndex)
  const within = { inside: node, access: '', owner: name, depth: depth + 1, comments: before, from: null }
  visitAll(rules, body, symbols, { ...context, ...within, level: level + 1 })
}

function isComment({ type }: Node): boolean {
  return type === 'comment' || type === 'line_comment' || type === 'block_comment'
}

/** Maximum length of an export list, in characters. Longer ones are generated. */
const MAX_TEXT = 20_000

/** Names that a JavaScript or TypeScript file exports in a list, as default, or through CommonJS. */
function exportedNames(root: Node): Set<string> {
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

/** Returns the name of a declaration, or `default` if it has none. */
function symbolName(node: Node): string {
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

/** Maximum number of lines and characters. Longer declarations are tables of values or whole programs. */
const MAX_LINES = 60
const MAX_LENGTH = 4_000

/** Returns the declaration from `from` on, without its body, at the left margin. */
function signatureOf(node: Node, from: Node, whole: boolean): string {
  const { text } = from
  const bodyAt = whole ? bodyOfValue(node) : bodyStart(node)
  const end = bodyAt ?? node.endIndex
  const before = text.slice(0, end - from.startIndex)
  // The opening of the body is not part of the signature.
  const cut = bodyAt === null ? before.trimEnd() : withoutOpening(before)
  const margin = ' '.repeat(from.startPosition.column)
  const lines = cut.split('\n').map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.trimStart()))
  const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_LENGTH).trimEnd()
  return shown.length < cut.trimEnd().length && (lines.length > MAX_LINES || cut.length > MAX_LENGTH)
    ? `${shown}\n…`
    : shown
}

/** Returns the start of the body, or of a comment before it. */
function bodyStart(node: Node): number | null {
  const body = node.childForFieldName('body')
  if (!body) return null
  const comment = node.namedChildren.find(({ type, startIndex }) => type === 'comment' && startIndex < body.startIndex)
  return comment && node.type !== 'function_definition' ? comment.startIndex : body.startIndex
}

/** In `export const f = (a) => { … }` the value is a function. Its body is not part of the signature. */
function bodyOfValue(node: Node): number | null {
  const value = node.namedChildren.find(({ type }) => type === 'variable_declarator')?.childForFieldName('value')
  return /^(arrow_function|function_expression)$/.test(value?.type ?? '')
    ? (value?.childForFieldName('body')?.startIndex ?? null)
    : null
}

/** Removes trailing braces, colons, arrows and spaces. */
function withoutOpening(text: string): string {
  let end = text.length
  for (;;) {
    if (/[\s{:=]/.test(text[end - 1] ?? '')) end--
    else if (text.endsWith('=>', end)) end -= 2
    else return text.slice(0, end)
  }
}
