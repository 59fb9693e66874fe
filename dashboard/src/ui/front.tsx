import type { ComponentChildren } from 'preact'
import { Icon } from './icons.tsx'
import { useTitle } from './use-title.ts'

/** A page without a session: the mark, a title in the margin, and a form beside it. */
export function Front({ title, about, children }: { title: string; about?: string; children: ComponentChildren }) {
  useTitle(title)
  return (
    <main class="front" id="main">
      <p class="brand">
        <Icon name="hand" />
        Docent
      </p>
      <section class="sec last">
        <header>
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </header>
        <div class="body">{children}</div>
      </section>
    </main>
  )
}
