import type { ScreenProps } from '../lib/router.ts'
import { ServerPage } from '../ui/server-page.tsx'
import { Connect } from './playground/connect.tsx'
import { TryTool } from './playground/try-tool.tsx'
import '../styles/playground.css'

/** The tools of a server to try, and how clients connect to it. */
export function Playground({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="playground">
      {(server) => (
        <div class="pg">
          <TryTool key={server.id} server={server} query={query} />
          <Connect server={server} />
        </div>
      )}
    </ServerPage>
  )
}
