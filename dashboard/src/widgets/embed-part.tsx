import type { Output } from '@docent/sdk'
import { setQuery } from '../lib/router.ts'
import { Field } from '../ui/field.tsx'
import { Segments } from '../ui/segments.tsx'
import { Snippet } from '../ui/snippet.tsx'
import type { Configuration } from './draft.ts'
import { type EmbedOptions, embedCode } from './embed-options.ts'

type Props = { configuration: Configuration | null; servers: Output<'servers.list'>; options: EmbedOptions }

const MODES = [
  { name: 'button', title: 'Button' },
  { name: 'inline', title: 'Box in the page' },
] as const
const POSITIONS = [
  { name: 'bottom-right', title: 'Right' },
  { name: 'bottom-left', title: 'Left' },
] as const
const THEMES = [
  { name: 'page', title: 'As the page' },
  { name: 'auto', title: 'As the system' },
  { name: 'light', title: 'Light' },
  { name: 'dark', title: 'Dark' },
] as const

/** The code for a page, and how the page shows the widget. The choices are in the address. */
export function EmbedPart({ configuration, servers, options }: Props) {
  const origin = originOf(servers)
  return (
    <section class="embed" aria-labelledby="h-embed">
      <h3 id="h-embed">On your page</h3>
      <div class="options">
        <Segments
          label="Form"
          options={MODES}
          value={options.mode}
          onChange={(mode) => setQuery({ mode: mode === 'button' ? null : mode })}
        />
        {options.mode === 'button' && (
          <Segments
            label="Corner"
            options={POSITIONS}
            value={options.position}
            onChange={(position) => setQuery({ position: position === 'bottom-right' ? null : position })}
          />
        )}
        <Segments
          label="Colors on the page"
          options={THEMES}
          value={options.theme}
          onChange={(theme) => setQuery({ theme: theme === 'page' ? null : theme })}
        />
        <Field
          label="Text of the button"
          maxLength={60}
          placeholder="Ask the docs"
          value={options.label}
          onInput={({ currentTarget }) => setQuery({ label: currentTarget.value || null })}
        />
      </div>
      {configuration === null ? (
        <p class="small">The code appears here when the widget is saved.</p>
      ) : (
        <>
          <Snippet code={embedCode(configuration.id, options, origin)} label="Copy the code of the widget" />
          <p class="small">
            Paste it before the end of the page’s <code>&lt;body&gt;</code>
            {options.mode === 'inline' && ', the element where the box should be'}. With a content security policy, the
            page needs <code>{origin}</code> in <code>script-src</code> and <code>connect-src</code>.
          </p>
          {isLocal(origin) && (
            <p class="nb" role="note">
              Only browsers on this machine can load it from {origin}. Give this instance a public address with
              DOCENT_PUBLIC_URL.
            </p>
          )}
        </>
      )}
    </section>
  )
}

/** The public address of the service, as in the addresses of servers. */
function originOf([server]: Output<'servers.list'>): string {
  return server && URL.canParse(server.url) ? new URL(server.url).origin : location.origin
}

const isLocal = (origin: string): boolean => /^(?:localhost|127\.|\[::1\])/.test(new URL(origin).host)
