import type { ComponentChildren } from 'preact'

type Props = {
  children: ComponentChildren
  isBusy?: boolean
  isSmall?: boolean
  /** Several files at once. */
  isMultiple?: boolean
  onChoose: (files: readonly File[]) => void
}

/** A button that lets a person choose files. The same file can be chosen again. */
export function FileButton({ children, isBusy = false, isSmall = false, isMultiple = false, onChoose }: Props) {
  return (
    <label class={isSmall ? 'btn s file' : 'btn file'}>
      {isBusy ? 'Uploading …' : children}
      <input
        type="file"
        multiple={isMultiple}
        disabled={isBusy}
        class="vh"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) onChoose(files)
        }}
      />
    </label>
  )
}
