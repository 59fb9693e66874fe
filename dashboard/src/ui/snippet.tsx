import { CopyButton } from './copy-button.tsx'

/** Code to paste elsewhere, with a button that copies it. `label` says what is copied. */
export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <div class="cmd snippet">
      <pre tabIndex={0} aria-label={label.replace(/^Copy /, '')}>
        {code}
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  )
}
