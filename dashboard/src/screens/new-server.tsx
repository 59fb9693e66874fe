import { ImportServer } from '../ui/import-server.tsx'
import { NewServerForm } from '../ui/new-server-form.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'

/** A new server from one address. */
export function NewServer() {
  return (
    <>
      <PageHead title="New server" />
      <Section title="Documentation" about="More sources can be added later.">
        <NewServerForm />
      </Section>
      <ImportServer />
    </>
  )
}
