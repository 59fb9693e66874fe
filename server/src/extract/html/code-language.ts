import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'

/** Class names with a block's language, on the block and on its wrappers. */
const ON_WRAPPER = /(?:^|\s)(?:language|highlight-source|highlight|source)-([\w+#.-]+)/i
const ON_CODE =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush|sourceCode|prettyprint lang)[-:]\s*([\w+#.-]+)/i

/** Class names that look like languages but are not. */
const NO_LANGUAGE = new Set(
  'text plaintext plain none default txt block highlight code nohighlight container box wrapper toolbar example snippet unknown undefined auto source literal-block'.split(
    ' ',
  ),
)

/** Languages used as bare class names (`hljs javascript`, `rust rust-example-rendered`). */
const LANGUAGES = new Set(
  'bash sh shell zsh console powershell js javascript jsx ts typescript tsx json json5 yaml yml toml ini xml html css scss sass less java kotlin scala groovy python py pycon ruby rb php go golang rust rs c cpp c++ csharp cs fsharp swift objectivec objc perl lua r julia haskell elixir erlang clojure dart sql graphql dockerfile makefile nginx apache diff patch vue svelte astro markdown md tex latex proto terraform hcl nix zig wasm solidity'.split(
    ' ',
  ),
)

/** Maximum levels between a block and the wrapper with its language: the parts of a table with line numbers. */
const WRAPPERS = 8
const OUTSIDE = new Set(['main', 'article', 'body', 'section', 'li', 'dd', 'blockquote'])

/** Returns the lower-case language of the code block at `start`, or null. */
export function codeLanguage(tree: HtmlTree, start: number): string | null {
  const block = tree[start]
  if (block === undefined) return null
  const first = tree[start + 1]
  // Some highlighters nest `pre` elements.
  const child = first?.tag === 'pre' ? tree[start + 2] : first
  const own = (child?.tag === 'code' ? named(child, ON_CODE) : null) ?? named(block, ON_CODE) ?? plainName(block)
  if (own !== null) return own
  if (/tsd-signature/.test(attribute(block, 'class'))) return 'ts'
  if (/(?:member|type)-signature/.test(attribute(block, 'class'))) return 'java'
  let index = block.parent
  for (let level = 0; level < WRAPPERS; level++) {
    const wrapper = tree[index]
    if (wrapper === undefined || OUTSIDE.has(wrapper.tag)) return null
    const language = named(wrapper, ON_WRAPPER) ?? (level === 0 ? wrapperName(wrapper) : null)
    if (language !== null) return language
    index = wrapper.parent
  }
  return null
}

const PLAIN =
  /(?:^|\s)(?:(?:language|lang|highlight|brush)[-:]\s*)?(?:text|plaintext|plain|txt|none|nohighlight)(?:\s|$)/i

/** Returns true if the block at `start`, its first child or one of its two closest wrappers is marked as plain text. */
export function isPlainText(tree: HtmlTree, start: number): boolean {
  const around = tree[start]?.parent ?? -1
  return [start, start + 1, around, tree[around]?.parent ?? -1].some((at) => {
    const node = tree[at]
    return node !== undefined && !OUTSIDE.has(node.tag) && PLAIN.test(attribute(node, 'class'))
  })
}

function named(node: HtmlNode, pattern: RegExp): string | null {
  const { attribs } = node
  const given =
    attribs['data-language'] ??
    attribs['data-lang'] ??
    attribs['language'] ??
    pattern.exec(attribute(node, 'class'))?.[1]
  const language = given?.toLowerCase().trim()
  return language !== undefined && /^[\w+#.-]{1,24}$/.test(language) && !NO_LANGUAGE.has(language) ? language : null
}

/** Docusaurus puts the class `markdown` on the prose around a block, so ignore it on wrappers. */
function wrapperName(node: HtmlNode): string | null {
  const name = plainName(node)
  return name === 'markdown' ? null : name
}

function plainName(node: HtmlNode): string | null {
  const names = attribute(node, 'class').toLowerCase().split(/\s+/)
  return names.find((name) => LANGUAGES.has(name)) ?? null
}
