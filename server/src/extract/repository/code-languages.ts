import type { LanguageName } from './symbol-rules.ts'

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
