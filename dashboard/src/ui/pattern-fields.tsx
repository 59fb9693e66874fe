import { useId } from 'preact/hooks'

export type PatternTexts = { include: string; exclude: string; versions: string }

/** Patterns of paths, and further versions to read, one per line. */
export function PatternFields({ value, onChange }: { value: PatternTexts; onChange: (value: PatternTexts) => void }) {
  const id = useId()
  const field = (name: keyof PatternTexts, label: string, example: string) => (
    <div class="field">
      <label for={`${id}-${name}`}>{label}</label>
      <textarea
        id={`${id}-${name}`}
        class="m"
        rows={2}
        spellcheck={false}
        placeholder={example}
        value={value[name]}
        onInput={({ currentTarget }) => onChange({ ...value, [name]: currentTarget.value })}
      />
    </div>
  )
  return (
    <>
      {field('include', 'Only these paths', '/docs/')}
      {field('exclude', 'Without these paths', '/docs/legacy/*')}
      <p class="hint">One pattern per line, as in robots.txt: * stands for anything, and a final $ for the end.</p>
      {field('versions', 'Further versions', 'newest:3')}
      <p class="hint">
        One per line: folders of a site, tags and branches of a repository, or newest:3 for the newest releases of the
        three newest lines. A version of an upload comes with its file, such as handbook@2.1.zip, and goes with its
        line.
      </p>
    </>
  )
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The fields that are filled in, as lists. */
export function readPatterns(texts: PatternTexts): Partial<Record<keyof PatternTexts, string[]>> {
  const lists = Object.entries(texts).map(([name, text]) => [name, linesOf(text)] as const)
  return Object.fromEntries(lists.filter(([, lines]) => lines.length > 0))
}
