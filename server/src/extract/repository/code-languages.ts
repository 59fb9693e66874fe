import type { Node } from 'web-tree-sitter'
import languages from './code-languages.json' with { type: 'json' }

export type CodeLanguage = {
  /** Info string of a fence. */
  fence: string
  /** A grammar of `@vscode/tree-sitter-wasm`, without prefix and extension. */
  grammar: string
  rules: LanguageName
}

export type LanguageName = keyof typeof languages.rules

// The package has no C grammar. The C++ grammar reads everything except a few words used as names.
const BY_ENDING: Readonly<Record<string, unknown>> = languages.endings

/** Returns the language of a code file by its extension, or null if its symbols are not readable. */
export function codeLanguageOf(name: string): CodeLanguage | null {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (BY_ENDING[ending] as CodeLanguage | undefined) ?? null
}

/** Rules that identify the symbols of a language. Node types are those of its grammar. */
export type SymbolRules = {
  /** Nodes that may contain symbols but are none. */
  through: ReadonlySet<string>
  /** Functions and similar nodes. Their signature ends before the body. */
  callables: ReadonlySet<string>
  /** Types with members that are symbols themselves. */
  containers: ReadonlySet<string>
  /** Returns true for nodes shown unchanged, because their content is the signature. */
  isWhole: (node: Node) => boolean
  /** Separator between the names of a container and its member. */
  joint: (member: Node) => string
  /** Returns true if the symbol is accessible from outside the file. */
  isPublic: (node: Node, where: Where) => boolean
}

/** Context of a symbol. */
export type Where = {
  /** Enclosing container, or null at the top level. */
  inside: Node | null
  /** Current access specifier in the container, or empty if there is none. */
  access: string
  /** Names that the file exports apart from their declarations. */
  exported: ReadonlySet<string>
}

/** Returns the symbol rules of a language. */
export function symbolRules(language: LanguageName): SymbolRules {
  const { through, callables, containers, whole, joints } = languages.rules[language]
  const set = (names: string) => new Set(names.split(' '))
  const wholes = set(whole)
  const named: Readonly<Record<string, string>> = joints
  return {
    through: set(through),
    callables: set(callables),
    containers: set(containers),
    // C structs have only fields, so show them.
    isWhole: (node) => wholes.has(node.type) || (language === 'cpp' && isPlainData(node)),
    joint: ({ type }) => named[type] ?? joints.other,
    isPublic: IS_PUBLIC[language],
  }
}

const hasModifier = (node: Node, pattern: RegExp) =>
  node.namedChildren.some((child) => /modifier/.test(child.type) && pattern.test(child.text))
const nameOf = (node: Node) => node.childForFieldName('name')?.text ?? ''

const IS_PUBLIC: Record<LanguageName, SymbolRules['isPublic']> = {
  typescript: (node, { inside, exported }) =>
    inside ? !hasModifier(node, /^(private|protected)$/) && !/^[#_]/.test(nameOf(node)) : isExported(node, exported),
  python: (node) => !nameOf(node).startsWith('_') || nameOf(node) === '__init__',
  go: (node) =>
    /^\p{Lu}/u.test(
      nameOf(node) ||
        nameOf(node.namedChildren.find(({ type }) => type.endsWith('_spec') || type === 'type_alias') ?? node),
    ),
  rust: (node, { inside }) => {
    if (node.type === 'impl_item') return node.childForFieldName('trait') === null
    if (node.type === 'macro_definition') return /macro_export/.test(node.previousNamedSibling?.text ?? '')
    return (
      inside?.type === 'trait_item' ||
      node.namedChildren.some(({ type, text }) => type === 'visibility_modifier' && text === 'pub')
    )
  },
  java: (node, { inside }) => inside?.type === 'interface_declaration' || hasModifier(node, /\b(public|protected)\b/),
  cpp: (node, { inside, access }) => {
    if (/^(declaration|field_declaration)$/.test(node.type) && !declaresFunction(node)) return false
    // Constants with a comment are public; others are guards, switches and shorthands.
    if (node.type === 'preproc_def')
      return node.previousNamedSibling?.type === 'comment' && node.childForFieldName('value') !== null
    if (node.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'static') && !inside)
      return false
    return !inside || (access || (inside.type === 'struct_specifier' ? 'public' : 'private')) === 'public'
  },
  'c-sharp': (node, { inside }) =>
    inside?.type === 'interface_declaration' || hasModifier(node, /^(public|protected)$/),
  ruby: (node, { access }) => node.type !== 'method' || !/^(private|protected)$/.test(access),
  php: (node) => !hasModifier(node, /^(private|protected)$/),
}

function isPlainData(struct: Node): boolean {
  const members = struct.childForFieldName('body')?.namedChildren ?? []
  return (
    struct.type === 'struct_specifier' &&
    members.length > 0 &&
    members.every(
      (member) => member.type === 'comment' || (member.type === 'field_declaration' && !declaresFunction(member)),
    )
  )
}

/** Pointer or reference declarators of the result may wrap a function's declarator. */
function declaresFunction(node: Node): boolean {
  let declarator = node.childForFieldName('declarator')
  while (declarator && /^(pointer|reference)_declarator$/.test(declarator.type)) {
    declarator = declarator.childForFieldName('declarator') ?? declarator.firstNamedChild
  }
  return declarator?.type === 'function_declarator'
}

function isExported(node: Node, exported: ReadonlySet<string>): boolean {
  if (/^(export_statement|ambient_declaration)$/.test(node.parent?.type ?? '')) return true
  const named = nameOf(node) || nameOf(node.namedChildren.find(({ type }) => type === 'variable_declarator') ?? node)
  return exported.has(named)
}
