import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../ui/states.tsx'
import { type Draft, previewOf } from './draft.ts'
import { type EmbedOptions, attributesOf } from './embed-options.ts'

type Props = { draft: Draft; options: EmbedOptions; configurationId: string; theme: 'light' | 'dark' }

/** Changes are shown after this pause, because each makes a new widget. */
const SETTLE_MS = 150

/** The widget itself, with the settings of the draft. */
export function Preview({ draft, options, configurationId, theme }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { isReady, error, load } = useWidget()
  const shown = JSON.stringify({ settings: previewOf(draft), options, configurationId, theme })
  useEffect(() => {
    if (!isReady) return
    const timer = setTimeout(() => place.current?.replaceChildren(makeWidget(shown)), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isReady, shown])
  if (error) return <Problem error={error} retry={load} />
  return <div class="stage" data-theme={theme} ref={place} />
}

type Shown = { settings: ReturnType<typeof previewOf> } & Omit<Props, 'draft'>

function makeWidget(shown: string): HTMLElement {
  const { settings, options, configurationId, theme } = JSON.parse(shown) as Shown
  const widget = document.createElement('docent-ask')
  const own = { ...attributesOf(options), theme, configuration: configurationId, base: location.origin, hotkey: '' }
  for (const [name, value] of Object.entries(own)) widget.setAttribute(name, value)
  return Object.assign(widget, { settings })
}

/** Loads the script that pages load. It defines the element. */
function useWidget() {
  const [state, setState] = useState<{ isReady: boolean; error: Error | null }>(() => ({
    isReady: customElements.get('docent-ask') !== undefined,
    error: null,
  }))
  const load = () => {
    const address = new URL('/embed/docent.js', location.origin).href
    import(/* @vite-ignore */ address).then(
      () => setState({ isReady: true, error: null }),
      () => setState({ isReady: false, error: new Error('The widget could not be loaded from /embed/docent.js.') }),
    )
  }
  useEffect(() => {
    if (!state.isReady) load()
  }, [])
  return { ...state, load }
}
