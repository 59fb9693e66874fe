import { useEffect } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { send } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { slugOfHeading, withOwnAddresses } from '../lib/documents.ts'
import { type ScreenProps, usePlace } from '../lib/router.ts'
import { Markdown, NO_CITATIONS } from '../ui/markdown.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Loaded } from '../ui/states.tsx'
import { useTitle } from '../ui/use-title.ts'
import '../styles/docs.css'

/** A document of this version of Docent, as the service has it. Without a name, the list of all. */
export function Docs({ params: { slug: name = '' } }: ScreenProps) {
  const { hash } = usePlace()
  const text = useLoad(`document ${name}`, (signal) => readDocument(name, signal))
  useTitle(titleIn(text.data) ?? 'Documentation')
  useEffect(() => {
    if (text.data !== null && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [text.data, hash])
  return (
    <div class="doc">
      {name !== '' && (
        <p class="small">
          <a href="/docs">All documents</a>
        </p>
      )}
      <Loaded from={text} what="the document">
        {(markdown) =>
          markdown === '' ? (
            <PageHead title="There is no such document" />
          ) : (
            <Markdown text={withOwnAddresses(markdown, name)} citations={NO_CITATIONS} headingId={slugOfHeading} />
          )
        }
      </Loaded>
    </div>
  )
}

/** Empty if there is none. */
async function readDocument(name: string, signal: AbortSignal): Promise<string> {
  const path = name === '' ? '/docs' : `/docs/${encodeURIComponent(name)}.md`
  try {
    return await (await send(path, { signal, headers: { accept: 'text/plain' } })).text()
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return ''
    throw error
  }
}

const titleIn = (markdown: string | null): string | undefined => /^# (.+)/.exec(markdown ?? '')?.[1]
