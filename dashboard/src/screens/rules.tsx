import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import type { Loading } from '../api/use-load.ts'
import { count } from '../lib/format.ts'
import { NEWEST } from '../lib/listing.ts'
import { type ScreenProps, setQuery } from '../lib/router.ts'
import { RuleDraft, type SavedRule } from '../rules/rule-draft.tsx'
import { Removed } from '../rules/effects.tsx'
import { Listing } from '../ui/listing.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Pins } from './rules/pins.tsx'
import { RuleRow } from './rules/rule-row.tsx'

type Listed = Output<'retrievalRules.list'>

/** The retrieval rules of a server, a new one in plain words, and the pins. */
export function Rules({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="rules">
      {(server, { rules }) => <Shown server={server} rules={rules} query={query} />}
    </ServerPage>
  )
}

type Rule = Listed['rules'][number]

const PLAN = {
  prefix: 'rules',
  textOf: ({ naturalLanguage }: Rule) => naturalLanguage,
  orders: [
    NEWEST,
    { name: 'runs', title: 'In the order in which they run', compare: (a: Rule, b: Rule) => b.priority - a.priority },
  ],
  choices: [
    {
      name: 'state',
      every: 'On and off',
      options: [
        { value: 'on', title: 'On' },
        { value: 'off', title: 'Off' },
      ],
      fits: ({ enabled }: Rule, value: string) => enabled === (value === 'on'),
    },
  ],
}

type ShownProps = { server: Server; rules: Loading<Listed>; query: URLSearchParams }

function Shown({ server, rules, query }: ShownProps) {
  return (
    <Loaded from={rules} what="the rules">
      {(listed) => (
        <>
          <NewRule server={server} listed={listed} query={query} onSaved={rules.reload} />
          <Section title="Rules" about={aboutOf(listed)}>
            {listed.rules.length === 0 ? (
              <p class="mute">There is no rule yet. Searches treat all sources and pages alike.</p>
            ) : (
              <Listing items={listed.rules} one="rule" plan={PLAN} sizes={[12, 7]} query={query}>
                {(shown) => (
                  <ul class="rules">
                    {shown.map((rule) => (
                      <RuleRow key={rule.id} rule={rule} server={server} onChange={rules.reload} />
                    ))}
                  </ul>
                )}
              </Listing>
            )}
          </Section>
          <Pins server={server} query={query} />
        </>
      )}
    </Loaded>
  )
}

const aboutOf = ({ rules, limit }: Listed): string =>
  rules.length === 0 ? 'Searches follow them.' : `${count(rules.length, 'rule')} of at most ${limit}.`

type NewRuleProps = { server: Server; listed: Listed; query: URLSearchParams; onSaved: () => void }

function NewRule({ server, listed, query, onSaved }: NewRuleProps) {
  const [made, setMade] = useState(0)
  const [saved, setSaved] = useState<SavedRule | null>(null)
  const draft = { sentence: query.get('sentence') ?? '', sourceId: query.get('source') }
  const why = whyNot(server, listed)
  return (
    <Section title="New rule" about="Every search follows it from the next request on." to="retrievalRules.create">
      {why ? (
        <p>{why}</p>
      ) : (
        <RuleDraft
          // A saved rule empties the form.
          key={`${made} ${draft.sentence}`}
          server={server}
          draft={draft}
          placeholder={listed.example}
          onEdit={() => setSaved(null)}
          onSaved={(rule) => {
            setMade(made + 1)
            setSaved(rule)
            setQuery({ sentence: null, source: null })
            onSaved()
          }}
        />
      )}
      {saved && (
        <div role="status" class="after">
          <p>The rule is saved. See below what it was understood as.</p>
          <Removed parts={saved.removed} />
        </div>
      )}
    </Section>
  )
}

function whyNot({ sources }: Server, { rules, limit, available }: Listed): string | null {
  if (!available) return 'This instance does not write rules. Its operator can switch them on.'
  if (sources.length === 0) return 'This server has no source yet. Add one, then write a rule about it.'
  return rules.length >= limit ? `This server has ${limit} rules, the most that it can have. Delete one first.` : null
}
