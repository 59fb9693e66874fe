import type { Node } from 'web-tree-sitter'

/** A grammar of `@vscode/tree-sitter-wasm`, without prefix and extension. */
export type GrammarName =
  | 'typescript'
  | 'tsx'
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'cpp'
  | 'c-sharp'
  | 'ruby'
  | 'php'

export type LanguageName = 'typescript' | 'python' | 'go' | 'rust' | 'java' | 'cpp' | 'c-sharp' | 'ruby' | 'php'

export type CodeLanguage = {
  /** Info string of a fence. */
  fence: string
  grammar: GrammarName
  /** Name of the symbol rules for this language. */
  rules: LanguageName
}

const TYPESCRIPT: CodeLanguage = { fence: 'ts', grammar: 'typescript', rules: 'typescript' }
const JAVASCRIPT: CodeLanguage = { fence: 'js', grammar: 'javascript', rules: 'typescript' }
const PYTHON: CodeLanguage = { fence: 'python', grammar: 'python', rules: 'python' }
// The package has no C grammar. The C++ grammar reads everything except a few words used as names.
const C: CodeLanguage = { fence: 'c', grammar: 'cpp', rules: 'cpp' }
const CPP: CodeLanguage = { fence: 'cpp', grammar: 'cpp', rules: 'cpp' }

const BY_ENDING: Record<string, CodeLanguage> = {
  ts: TYPESCRIPT,
  mts: TYPESCRIPT,
  cts: TYPESCRIPT,
  tsx: { fence: 'tsx', grammar: 'tsx', rules: 'typescript' },
  js: JAVASCRIPT,
  mjs: JAVASCRIPT,
  cjs: JAVASCRIPT,
  jsx: { ...JAVASCRIPT, fence: 'jsx' },
  py: PYTHON,
  pyi: PYTHON,
  go: { fence: 'go', grammar: 'go', rules: 'go' },
  rs: { fence: 'rust', grammar: 'rust', rules: 'rust' },
  java: { fence: 'java', grammar: 'java', rules: 'java' },
  c: C,
  h: C,
  cc: CPP,
  cpp: CPP,
  cxx: CPP,
  hh: CPP,
  hpp: CPP,
  hxx: CPP,
  cs: { fence: 'csharp', grammar: 'c-sharp', rules: 'c-sharp' },
  rb: { fence: 'ruby', grammar: 'ruby', rules: 'ruby' },
  php: { fence: 'php', grammar: 'php', rules: 'php' },
}

/** Returns the language of a code file by its extension, or null if its symbols are not readable. */
export function codeLanguageOf(name: string): CodeLanguage | null {
  return BY_ENDING[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** Rules that identify the symbols of a language. Node types are those of its grammar. */
export type SymbolRules = {
  /** Nodes that may contain symbols but are none. */
  through: ReadonlySet<string>
  /** Functions and similar nodes. Their signature ends before the body. */
  callables: ReadonlySet<string>
  /** Types with members that are symbols themselves. */
  containers: ReadonlySet<string>
  /** Nodes shown unchanged, because their content is the signature. */
  whole: ReadonlySet<string>
  /** Returns true for a container without member symbols, to be shown unchanged. */
  isWhole?: (container: Node) => boolean
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

const set = (names: string) => new Set(names.split(' '))
const hasModifier = (node: Node, pattern: RegExp) =>
  node.namedChildren.some((child) => /modifier/.test(child.type) && pattern.test(child.text))
const nameOf = (node: Node) => node.childForFieldName('name')?.text ?? ''

export const SYMBOL_RULES: Record<LanguageName, SymbolRules> = {
  typescript: {
    through: set('export_statement ambient_declaration internal_module module statement_block expression_statement'),
    callables: set(
      'function_declaration generator_function_declaration function_signature function_expression method_definition method_signature abstract_method_signature',
    ),
    containers: set('class_declaration abstract_class_declaration class'),
    whole: set(
      'interface_declaration type_alias_declaration enum_declaration lexical_declaration variable_declaration',
    ),
    joint: () => '.',
    isPublic: (node, { inside, exported }) =>
      inside ? !hasModifier(node, /^(private|protected)$/) && !/^[#_]/.test(nameOf(node)) : isExported(node, exported),
  },
  python: {
    through: set('decorated_definition'),
    callables: set('function_definition'),
    containers: set('class_definition'),
    whole: set(''),
    joint: () => '.',
    isPublic: (node) => !nameOf(node).startsWith('_') || nameOf(node) === '__init__',
  },
  go: {
    through: set(''),
    callables: set('function_declaration method_declaration'),
    containers: set(''),
    whole: set('type_declaration const_declaration var_declaration'),
    joint: () => '.',
    isPublic: (node) =>
      /^\p{Lu}/u.test(
        nameOf(node) ||
          nameOf(node.namedChildren.find(({ type }) => type.endsWith('_spec') || type === 'type_alias') ?? node),
      ),
  },
  rust: {
    through: set('mod_item declaration_list'),
    callables: set('function_item function_signature_item'),
    containers: set('impl_item trait_item'),
    whole: set('struct_item enum_item union_item type_item const_item static_item macro_definition'),
    joint: () => '::',
    isPublic: (node, { inside }) => {
      if (node.type === 'impl_item') return node.childForFieldName('trait') === null
      if (node.type === 'macro_definition') return /macro_export/.test(node.previousNamedSibling?.text ?? '')
      return (
        inside?.type === 'trait_item' ||
        node.namedChildren.some(({ type, text }) => type === 'visibility_modifier' && text === 'pub')
      )
    },
  },
  java: {
    through: set(''),
    callables: set('method_declaration constructor_declaration annotation_type_element_declaration'),
    containers: set('class_declaration interface_declaration record_declaration annotation_type_declaration'),
    whole: set('enum_declaration'),
    joint: ({ type }) => (type === 'method_declaration' || type === 'constructor_declaration' ? '#' : '.'),
    isPublic: (node, { inside }) =>
      inside?.type === 'interface_declaration' || hasModifier(node, /\b(public|protected)\b/),
  },
  cpp: {
    through: set(
      'namespace_definition declaration_list template_declaration linkage_specification preproc_ifdef preproc_if preproc_else preproc_elif',
    ),
    callables: set('function_definition declaration field_declaration preproc_function_def'),
    containers: set('class_specifier struct_specifier'),
    whole: set('enum_specifier type_definition alias_declaration union_specifier preproc_def'),
    // C structs have only fields, so show them.
    isWhole: (node) => node.type === 'struct_specifier' && isPlainData(node),
    joint: () => '::',
    isPublic: (node, { inside, access }) => {
      if (/^(declaration|field_declaration)$/.test(node.type) && !declaresFunction(node)) return false
      // Constants with a comment are public; others are guards, switches and shorthands.
      if (node.type === 'preproc_def') return node.previousNamedSibling?.type === 'comment' && hasValue(node)
      if (
        node.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'static') &&
        !inside
      )
        return false
      return !inside || (access || (inside.type === 'struct_specifier' ? 'public' : 'private')) === 'public'
    },
  },
  'c-sharp': {
    through: set('namespace_declaration declaration_list'),
    callables: set(
      'method_declaration constructor_declaration delegate_declaration operator_declaration indexer_declaration',
    ),
    containers: set('class_declaration struct_declaration interface_declaration record_declaration'),
    whole: set('enum_declaration property_declaration event_field_declaration'),
    joint: () => '.',
    isPublic: (node, { inside }) =>
      inside?.type === 'interface_declaration' || hasModifier(node, /^(public|protected)$/),
  },
  ruby: {
    through: set('body_statement'),
    callables: set('method singleton_method'),
    containers: set('class module'),
    whole: set(''),
    joint: ({ type }) => (type === 'method' ? '#' : type === 'singleton_method' ? '.' : '::'),
    isPublic: (node, { access }) => node.type !== 'method' || !/^(private|protected)$/.test(access),
  },
  php: {
    through: set('namespace_definition compound_statement'),
    callables: set('function_definition method_declaration'),
    containers: set('class_declaration interface_declaration trait_declaration'),
    whole: set('enum_declaration'),
    joint: () => '::',
    isPublic: (node) => !hasModifier(node, /^(private|protected)$/),
  },
}

function isPlainData(struct: Node): boolean {
  const members = struct.childForFieldName('body')?.namedChildren ?? []
  return (
    members.length > 0 &&
    members.every(
      (member) => member.type === 'comment' || (member.type === 'field_declaration' && !declaresFunction(member)),
    )
  )
}

function hasValue(definition: Node): boolean {
  return definition.childForFieldName('value') !== null
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
