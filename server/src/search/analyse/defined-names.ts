const MODIFIER =
  '(?:export|default|declare|static|async|public|private|protected|internal|final|abstract|sealed|unsafe|extern|const|virtual|override|inline|synchronized|partial|data|pub(?:\\([a-z]{1,9}\\))?)'
const KIND =
  '(?:class|struct|enum|interface|trait|fn|func|fun|def|function|impl|type|object|module|namespace|protocol|macro_rules!)'
/** Lookahead after a defined name. In prose another word would follow. */
const BEHIND = '(?=[ \\t]*(?:[<({[:;=]|$|(?:extends|implements|for|where|is)[ \\t]))'

/** `pub struct Row<T>`, `export class Row extends List {`, `def row(self):`, `func (r *Row) Next() {` */
const BY_KIND = new RegExp(
  `^[ \\t]*(?:${MODIFIER}[ \\t]+){0,6}${KIND}\\*?(?:[ \\t]*<[^>\\n]{0,80}>[ \\t]*|[ \\t]+(?:\\([^)\\n]{0,80}\\)[ \\t]*)?)([\\w$]{2,64})${BEHIND}`,
  'gm',
)
/** `public static List<Row> readRows(`: a method without a keyword. */
const BY_MODIFIER = new RegExp(
  `^[ \\t]*(?:${MODIFIER}[ \\t]+){1,6}(?:[\\w$<>[\\],.?*&:]{1,64}[ \\t]+){0,4}([\\w$]{2,64})[ \\t]*\\(`,
  'gm',
)

/**
 * Finds names of classes, functions, types and methods defined at the start of a line, in the most common programming
 * languages. Calls back with offsets into `text`, increased by `offset`. Repetitions are bounded and stay on one line,
 * so the time is linear in the text length.
 */
export function scanDefinedNames(text: string, offset: number, onName: (start: number, end: number) => void): void {
  const seen = new Set<number>()
  for (const pattern of [BY_KIND, BY_MODIFIER])
    for (const { 0: whole, 1: name = '', index } of text.matchAll(pattern)) {
      const start = offset + index + whole.lastIndexOf(name)
      if (seen.has(start)) continue
      seen.add(start)
      onName(start, start + name.length)
    }
}
