import { useEffect } from 'preact/hooks'

/** The title of the browser's tab. Null leaves it to a part of the screen. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Docent`
  }, [title])
}
