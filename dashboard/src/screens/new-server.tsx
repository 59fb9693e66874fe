import { NewServerForm } from '../ui/new-server-form.tsx'
import { Section } from '../ui/section.tsx'
import { useTitle } from '../ui/use-title.ts'

/** A new server from one address. */
export function NewServer() {
  useTitle('New server')
  return (
    <>
      <div class="head">
        <h1>New server</h1>
      </div>
      <Section title="Documentation" about="More sources can be added later." last>
        <NewServerForm />
      </Section>
    </>
  )
}
