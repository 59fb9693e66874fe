import { PLAN_NAMES } from '@docent/contract/operations/purchases'
import { SOURCE_PRICE_CENTS } from '#billing/prices.ts'
import { type Plan, planOf } from '#auth/plans.ts'

/** Rows of the plan table. */
const ROWS: readonly [about: string, value: (plan: Plan) => string][] = [
  ['Servers', ({ servers }) => amount(servers)],
  [
    'Sources on each server',
    ({ sourcesPerServer, trialSourcesOnFirstServer: trial }) =>
      amount(sourcesPerServer) + (trial === null ? '' : `, in the first 14 days ${trial} on the first server`),
  ],
  [
    'Indexed text on each server',
    ({ sourceBytesPerServer: bytes }) => (bytes === null ? 'without limit' : `${amount(bytes / 1_000_000)} MB`),
  ],
  ['MCP requests in a month, all servers together', ({ mcpRequestsPerMonth }) => amount(mcpRequestsPerMonth)],
  ['Custom tools', ({ customTools }) => amount(customTools)],
  ['Retrieval rules on each server', ({ rulesPerServer }) => amount(rulesPerServer)],
  [
    'Request log and analytics',
    ({ coreAnalytics }) => (coreAnalytics ? 'yes' : 'the summary; everything in the first 14 days'),
  ],
]

const SERVER_ID = /^srv_\w{1,40}$/

/**
 * The plan page for programs, and for instances without the dashboard. It shows plan limits, the price of an extra
 * source, and how to request either. `server` is the server id from the URL, unvalidated.
 */
export function planPage(server: string | undefined): string {
  const serverId = server !== undefined && SERVER_ID.test(server) ? server : 'SERVER_ID'
  const head = PLAN_NAMES.map((name) => `<th scope="col">${name}</th>`).join('')
  const rows = ROWS.map(([about, value]) => {
    const cells = PLAN_NAMES.map((name) => `<td>${value(planOf(name))}</td>`).join('')
    return `<tr><th scope="row">${about}</th>${cells}</tr>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plans and limits · Docent</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8886; font-weight: normal }
</style>
<h1>Plans and limits</h1>
<table>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p>What an account has used is told by <code>GET /api/billing/usage</code>, and what its plan and key allow by
<code>GET /api/account/entitlements</code>.</p>
<h2>Get more</h2>
<p>One more source on a server costs $${SOURCE_PRICE_CENTS / 100}. Request it with
<code>POST /api/billing/purchases/sources</code> and <code>{"serverId": "${serverId}"}</code>, and a larger plan with
<code>POST /api/billing/purchases/plan</code> and <code>{"plan": "core"}</code>.</p>
<p>This instance takes no payment itself: pay the operator, who runs it and grants the request. The operator can also use
<code>docent admin credit --server ${serverId} --sources 1</code> and
<code>docent admin plan --email ADDRESS --plan core</code>.</p>
</html>
`
}

const amount = (value: number | null): string => (value === null ? 'without limit' : value.toLocaleString('en'))
