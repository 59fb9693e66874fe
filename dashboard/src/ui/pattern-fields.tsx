import { useId } from 'preact/hooks'

export type PatternTexts = { include: string; exclude: string }

/** Patterns of paths, one per line. */
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
    </>
  )
}

export function readPatterns({ include, exclude }: PatternTexts): { include?: string[]; exclude?: string[] } {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const [only, without] = [lines(include), lines(exclude)]
  return { ...(only.length > 0 ? { include: only } : {}), ...(without.length > 0 ? { exclude: without } : {}) }
}
