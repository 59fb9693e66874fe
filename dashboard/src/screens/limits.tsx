import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { type Loading, useLoad } from '../api/use-load.ts'
import { useMay } from '../api/may.ts'
import { useAccount } from '../api/session.ts'
import { CallerLimits } from '../ui/caller-limits.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded } from '../ui/states.tsx'
import type { ScreenProps } from '../lib/router.ts'
import { AllOrders } from './limits/all-orders.tsx'
import { Features } from './limits/features.tsx'
import { OwnOrders } from './limits/own-orders.tsx'
import { OrderPlan } from './limits/order-plan.tsx'
import { OrderSources } from './limits/order-sources.tsx'
import { RateLimits } from './limits/rate-limits.tsx'
import { Trial, Used } from './limits/used.tsx'

/** The plan: each limit, how much of it is used, when it starts again, and the way to more. */
export function Limits({ query }: ScreenProps) {
  const { isOperator } = useAccount()
  const page = Number(query.get('page') ?? '1') || 1
  const plan = useLoad('limits', async (signal) => {
    const [usage, entitlements, servers, plans] = await Promise.all([
      call('account.usage', {}, { signal }),
      call('account.entitlements', {}, { signal }),
      call('servers.list', {}, { signal }),
      call('plans.list', {}, { signal }),
    ])
    return { usage, entitlements, plans, servers: servers.filter(({ status }) => status !== 'deleted') }
  })
  const mayList = useMay()('purchases.list')
  const own = useLoad(`purchases ${page}`, mayList ? (signal) => call('purchases.list', { page }, { signal }) : null)
  const reload = () => {
    plan.reload()
    own.reload()
  }
  const shown = (
    <Loaded from={plan} what="the plan">
      {(loaded) => <Plan loaded={loaded} own={own} query={query} onChange={reload} />}
    </Loaded>
  )
  return (
    <>
      <PageHead title="Plan and limits" />
      {isOperator ? (
        <AllOrders query={query} onChange={reload}>
          {shown}
        </AllOrders>
      ) : (
        shown
      )}
    </>
  )
}

type PlanProps = {
  loaded: {
    usage: Output<'account.usage'>
    entitlements: Output<'account.entitlements'>
    servers: Output<'servers.list'>
    plans: Output<'plans.list'>
  }
  own: Loading<Output<'purchases.list'>>
  query: URLSearchParams
  onChange: () => void
}

function Plan({ loaded: { usage, entitlements, servers, plans }, own, query, onChange }: PlanProps) {
  const { isOperator } = useAccount()
  const may = useMay()
  return (
    <>
      <Section title={`Plan: ${usage.plan}`} about={<Trial trial={entitlements.trial} />}>
        <Used usage={usage} entitlements={entitlements} servers={servers} query={query} />
      </Section>
      {entitlements.limits.sourcesPerServer !== null && (
        <MoreSources servers={servers} price={plans.sourcePrice} query={query} onDone={onChange} />
      )}
      <Section
        title="Plans"
        about={
          isOperator
            ? 'What accounts of this instance can have.'
            : 'The operator of this instance takes the payment and grants another plan.'
        }
      >
        <OrderPlan
          plans={plans.plans}
          current={usage.plan}
          canOrder={!isOperator && may('purchases.requestPlan')}
          onDone={onChange}
        />
      </Section>
      <Section
        title="Callers without a token"
        about="Anybody can call a public server. Keep requests for callers with a token, and limit the others."
        to="account.callerLimits"
      >
        <CallerLimits />
      </Section>

      <Section title="Your orders" about="For sources and plans." to="purchases.list">
        <Loaded from={own} what="your orders">
          {(list) => <OwnOrders list={list} onChange={onChange} />}
        </Loaded>
      </Section>
      <Section
        title="Rate limits"
        about="They apply on every plan. Requests that are refused count too, unless they are not found or not allowed."
      >
        <RateLimits rates={entitlements.rateLimits} />
      </Section>
      <Section title="Features" about="What works for you on this instance." last>
        <Features features={entitlements.features} />
      </Section>
    </>
  )
}

type MoreSourcesProps = Pick<Parameters<typeof OrderSources>[0], 'servers' | 'price' | 'onDone'> & {
  query: URLSearchParams
}

function MoreSources({ query, ...rest }: MoreSourcesProps) {
  return (
    <Section
      id="sources"
      title="More sources"
      about="For one server, beyond the plan. You have them as soon as the operator grants them."
      to="purchases.requestSources"
    >
      <OrderSources {...rest} wanted={query.get('server')} isWanted={query.get('buy') === 'source'} />
    </Section>
  )
}
