import { useEffect, useState } from 'preact/hooks'

type Props = { text: string | (() => Promise<string>); label?: string; class?: string; children?: string }

/** Copies a text, which can be made on the click. Says so for two seconds. */
export function CopyButton({ text, label, class: className, children = 'Copy' }: Props) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), 2_000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await writeText(typeof text === 'string' ? text : await text())
      setSaid('Copied')
    } catch {
      setSaid('Not copied')
    }
  }
  return (
    <button type="button" class={className} aria-label={said ? undefined : label} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? children}</span>
    </button>
  )
}

/** Plain HTTP in a network has no clipboard interface; the older command works there. */
async function writeText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'vh'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser did not copy')
}
