const ALIASES = new Map(
  Object.entries({
    javascript: 'js jsx mjs cjs node nodejs',
    typescript: 'ts tsx mts cts',
    python: 'py python3 pycon',
    bash: 'sh shell zsh console shell-session shellsession terminal',
    csharp: 'c# cs',
    cpp: 'c++ cc cxx',
    go: 'golang',
    rust: 'rs',
    ruby: 'rb',
    yaml: 'yml',
    markdown: 'md mdx',
    kotlin: 'kt',
    powershell: 'ps1 pwsh',
    dockerfile: 'docker',
  }).flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [alias, name] as const)),
)

/** One name for a language however a page or a caller spells it; null stays null. */
export function languageOf(name: string | null): string | null {
  if (name === null) return null
  const lower = name.trim().toLowerCase()
  return ALIASES.get(lower) ?? lower
}
